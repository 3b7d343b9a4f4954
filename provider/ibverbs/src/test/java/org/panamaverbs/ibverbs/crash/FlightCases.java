package org.panamaverbs.ibverbs.crash;

import static org.panamaverbs.ibverbs.crash.Expect.either;
import static org.panamaverbs.ibverbs.crash.Expect.soon;

import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** Closing what work that is under way uses. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class FlightCases {
    private static final int REQUESTS = 32;

    private FlightCases() {}

    static List<CrashCase> all() {
        return List.of(
                new CrashCase("buffer-closed-with-receives-posted", FlightCases::bufferWithReceives),
                new CrashCase("buffer-closed-with-writes-in-flight", FlightCases::bufferWithWrites),
                new CrashCase("buffer-closed-with-reads-in-flight", FlightCases::bufferWithReads),
                new CrashCase("buffer-closed-while-peer-writes", FlightCases::bufferWhilePeerWrites),
                new CrashCase("queue-pair-closed-with-work-in-flight", FlightCases::queuePairWithWork),
                new CrashCase("queue-pair-closed-while-peer-writes", FlightCases::queuePairWhilePeerWrites),
                new CrashCase("connection-closed-while-peer-reads", FlightCases::connectionWhilePeerReads),
                new CrashCase("arena-closed-before-borrowing-buffer", FlightCases::arenaBeforeBuffer),
                new CrashCase("mapping-closed-while-peer-writes", FlightCases::mappingWhilePeerWrites),
                new CrashCase("confined-arena-used-from-another-thread", FlightCases::confinedArena));
    }

    private static String bufferWithReceives(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer sink = stage.buffer(pair.b().verbs(), pair.b().domain(), 65_536);
        for (int i = 0; i < REQUESTS; i++) {
            Expect.that(pair.qpB().recv(i, sink, 0, 65_536) >= 0, "a receive was refused");
        }
        String said = either("close", sink::close);
        Expect.that(pair.qpA().send(1, pair.a().buffer(), 0, 65_536, SendFlag.SIGNALED) >= 0, "a send was refused");
        return said + "; " + Expect.failure(pair.b().queue());
    }

    private static String bufferWithWrites(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer source = stage.buffer(pair.a().verbs(), pair.a().domain(), Side.BUFFER_BYTES);
        RemoteBuffer remote = pair.b().buffer().remote();
        for (int i = 0; i < REQUESTS; i++) {
            pair.qpA().write(i, source, 0, Side.BUFFER_BYTES, remote, 0, SendFlag.SIGNALED);
        }
        String said = either("close", source::close);
        return said + "; " + summary(Expect.completions(pair.a().queue(), REQUESTS));
    }

    private static String bufferWithReads(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer sink = stage.buffer(pair.a().verbs(), pair.a().domain(), Side.BUFFER_BYTES);
        RemoteBuffer remote = pair.b().buffer().remote();
        for (int i = 0; i < REQUESTS; i++) {
            pair.qpA().read(i, sink, 0, Side.BUFFER_BYTES, remote, 0, SendFlag.SIGNALED);
        }
        String said = either("close", sink::close);
        return said + "; " + summary(reads(pair.a()));
    }

    /**
     * Takes the completions of all Reads; from siw those up to the first failure. Linux 6.1: siw_rdmap_complete()
     * clears the entry of the Read that failed without moving on, and siw_sq_flush() stops at a cleared entry, so the
     * Reads behind it never complete.
     */
    private static List<Expect.Completed> reads(Side side) {
        if (!side.verbs().device().name().startsWith("siw")) {
            return Expect.completions(side.queue(), REQUESTS);
        }
        List<Expect.Completed> taken = new ArrayList<>();
        do {
            taken.add(Expect.completion(side.queue()));
        } while (taken.size() < REQUESTS && taken.getLast().ok());
        return taken;
    }

    private static String bufferWhilePeerWrites(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer target = stage.buffer(pair.b().verbs(), pair.b().domain(), Side.BUFFER_BYTES);
        RemoteBuffer remote = target.remote();
        for (int i = 0; i < REQUESTS; i++) {
            pair.qpA().write(i, pair.a().buffer(), 0, Side.BUFFER_BYTES, remote, 0, SendFlag.SIGNALED);
        }
        String said = either("close", target::close);
        return said + "; " + summary(Expect.completions(pair.a().queue(), REQUESTS));
    }

    private static String queuePairWithWork(Stage stage) throws Exception {
        Pair pair = stage.pair();
        for (int i = 0; i < REQUESTS; i++) {
            pair.qpA().recv(1000 + i, pair.a().buffer(), 0, 4096);
        }
        pair.write(REQUESTS, Side.BUFFER_BYTES);
        pair.qpA().close();
        pair.a().buffer().close();
        pair.a().queue().close();
        Expect.that(pair.connectionB().awaitDisconnect(soon()), "the peer is still connected");
        return "closed with " + 2 * REQUESTS + " requests";
    }

    private static String queuePairWhilePeerWrites(Stage stage) throws Exception {
        Pair pair = stage.pair();
        pair.write(REQUESTS, Side.BUFFER_BYTES);
        pair.qpB().close();
        pair.b().buffer().close();
        return summary(Expect.completions(pair.a().queue(), REQUESTS));
    }

    private static String connectionWhilePeerReads(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RemoteBuffer remote = pair.b().buffer().remote();
        for (int i = 0; i < REQUESTS; i++) {
            pair.qpA().read(i, pair.a().buffer(), 0, Side.BUFFER_BYTES, remote, 0, SendFlag.SIGNALED);
        }
        pair.connectionB().close();
        return summary(Expect.completions(pair.a().queue(), REQUESTS));
    }

    /** The documented mistake: memory that the buffer only borrows goes first. It is used for reading only here. */
    private static String arenaBeforeBuffer(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Arena arena = Arena.ofShared();
        RegisteredBuffer borrowing =
                stage.add(pair.a().domain().register(arena.allocate(1 << 20, 4096), Access.LOCAL_WRITE));
        long address = borrowing.iova();
        String said = either("arena.close", arena::close);
        pair.qpA()
                .post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                        .wrId(1)
                        .local(address, 4096, borrowing.lkey())
                        .remote(pair.b().buffer().iova(), pair.b().buffer().rkey())
                        .flags(SendFlag.SIGNALED));
        String completed = Expect.completion(pair.a().queue()).toString();
        borrowing.close();
        return said + "; " + completed;
    }

    private static String mappingWhilePeerWrites(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Path path = Files.createTempFile("crash-case", ".map");
        Arena arena = Arena.ofShared();
        RegisteredBuffer borrowing;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(Side.BUFFER_BYTES);
            MemorySegment mapped = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, Side.BUFFER_BYTES, arena);
            borrowing = stage.add(pair.b().domain().register(mapped, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        }
        RemoteBuffer remote = borrowing.remote();
        for (int i = 0; i < REQUESTS; i++) {
            pair.qpA().write(i, pair.a().buffer(), 0, Side.BUFFER_BYTES, remote, 0, SendFlag.SIGNALED);
        }
        String said = either("arena.close", arena::close);
        String completed = summary(Expect.completions(pair.a().queue(), REQUESTS));
        borrowing.close();
        Files.delete(path);
        return said + "; " + completed;
    }

    private static String confinedArena(Stage stage) throws Exception {
        Pair pair = stage.pair();
        try (Arena arena = Arena.ofConfined()) {
            RegisteredBuffer[] made = new RegisteredBuffer[1];
            String said = either(
                    "register",
                    () -> made[0] = pair.a().domain().register(arena.allocate(65_536, 4096), Access.LOCAL_WRITE));
            RegisteredBuffer buffer = made[0];
            if (buffer == null) {
                return said;
            }
            OtherThread other = OtherThread.once("post", () -> {
                pair.qpA().write(1, buffer, 0, 65_536, pair.b().buffer().remote(), 0, SendFlag.SIGNALED);
                Expect.completion(pair.a().queue());
            });
            String end = other.ended();
            OtherThread.once("close", buffer::close).ended();
            return said + "; " + end;
        }
    }

    private static String summary(List<Expect.Completed> completions) {
        long ok = completions.stream().filter(Expect.Completed::ok).count();
        String first = completions.stream()
                .filter(each -> !each.ok())
                .findFirst()
                .map(each -> ", the first: " + each.status())
                .orElse("");
        return ok + " completed, " + (completions.size() - ok) + " failed" + first;
    }
}
