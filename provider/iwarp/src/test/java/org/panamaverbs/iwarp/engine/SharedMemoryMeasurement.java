package org.panamaverbs.iwarp.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * What verbs over shared memory cost between two processes that poll, printed beside a copy by this thread in the same
 * moment; not a test. Many short rounds, of which the best and the middle one are told: on a busy machine the best
 * alone means something.
 *
 * <p>usage: {@code SharedMemoryMeasurement [NAME=VALUE...]} with options of the provider, on processor 0; the other
 * process is put on processor 1. The property {@code only} names a part: writes, sends, puts or batches.
 */
final class SharedMemoryMeasurement {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final int DEPTH = 512;
    private static final int SMALL = 64;
    private static final int BATCH = 64;
    private static final int WINDOW = 16;
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(4);
    // Of the buffer: small messages, words that the peer writes, and the rest, which Writes go to.
    private static final long PING = 4096;
    private static final long CREDIT = 8192;
    private static final long PONG = 12_288;
    private static final long ECHO = 1;

    private SharedMemoryMeasurement() {}

    /** Measures, or answers as the other process if the first argument is a port. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].matches("[0-9]+")) {
            answer(Integer.parseInt(arguments[0]), rest(arguments));
            return;
        }
        Side side = new Side(arguments);
        try (var listener = side.peer.verbs.listen(Raw.ANY_PORT)) {
            List<String> command = new ArrayList<>();
            command.addAll(List.of("taskset", "-c", "1"));
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp"));
            command.add(System.getProperty("java.class.path"));
            command.add(SharedMemoryMeasurement.class.getName());
            command.add(Integer.toString(listener.localAddress().getPort()));
            command.addAll(List.of(arguments));
            Process child = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                var request = listener.accept(Peer.soon());
                side.peer.connected(request.accept(side.queues(), side.config(), Peer.soon()));
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8)).readLine();
                measure(side);
            } finally {
                child.destroyForcibly();
            }
        }
        // The connection is reset: nothing of it is worth an orderly end.
        System.exit(0);
    }

    private static String[] rest(String[] arguments) {
        return Arrays.copyOfRange(arguments, 1, arguments.length);
    }

    // ---- the side that measures -----------------------------------------------------------------------------------

    private static void measure(Side side) {
        side.begin();
        System.out.println(side.peer.connection().transport());
        String only = System.getProperty("only", "");
        if ("writes".startsWith(only)) {
            for (int bytes : new int[] {4096, 16_384, 65_536, 1 << 20}) {
                writes(side, bytes);
            }
        }
        if ("sends".startsWith(only)) {
            sendRoundTrip(side);
        }
        if ("puts".startsWith(only)) {
            writeRoundTrip(side, SMALL);
            writeRoundTrip(side, 4096);
        }
        if ("batches".startsWith(only)) {
            batches(side);
        }
    }

    private static void writes(Side side, int bytes) {
        MemorySegment buffer = side.peer.buffer.segment();
        int count = Math.max(WINDOW, (1 << 20) / bytes);
        int rounds = 5000;
        double[] rates = new double[rounds];
        double[] copies = new double[rounds];
        MemorySegment other = Arena.ofAuto().allocate(bytes);
        long end = System.nanoTime() + LONGEST_NANOS;
        int round = 0;
        for (; round < rounds && System.nanoTime() - end < 0; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                MemorySegment.copy(buffer, 0, other, 0, bytes);
            }
            long middle = System.nanoTime();
            for (int i = 0; i < count; i++) {
                side.awaitRoom(WINDOW);
                PostStatus.check(
                        side.peer.queuePair().write(0, side.peer.buffer, 0, bytes, side.remote(), 0, side.flags));
                side.outstanding++;
            }
            side.awaitRoom(1);
            long last = System.nanoTime();
            copies[round] = (double) bytes * count / (middle - start);
            rates[round] = (double) bytes * count / (last - middle);
        }
        Arrays.sort(rates, 0, round);
        Arrays.sort(copies, 0, round);
        System.out.printf(
                "%8d B Writes: best %6.2f GB/s, middle %6.2f; memcpy best %6.2f, middle %6.2f%n",
                bytes, rates[round - 1], rates[round / 2], copies[round - 1], copies[round / 2]);
    }

    private static void print(String what, double[] nanos, int count) {
        Arrays.sort(nanos, 0, count);
        System.out.printf("%-32s best %8.1f ns, middle %8.1f ns%n", what, nanos[0], nanos[count / 2]);
    }

    private static void sendRoundTrip(Side side) {
        int rounds = 40_000;
        int trips = 100;
        double[] nanos = new double[rounds];
        side.peer.buffer.segment().set(ValueLayout.JAVA_LONG, 0, ECHO);
        long end = System.nanoTime() + LONGEST_NANOS;
        int round = 0;
        for (; round < rounds && System.nanoTime() - end < 0; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < trips; i++) {
                long before = side.received;
                PostStatus.check(side.peer.queuePair().send(0, side.peer.buffer, 0, SMALL, side.flags));
                side.outstanding++;
                while (side.received == before) {
                    side.poll();
                }
            }
            nanos[round] = (System.nanoTime() - start) / (double) trips;
        }
        side.awaitRoom(1);
        side.peer.buffer.segment().set(ValueLayout.JAVA_LONG, 0, 0);
        print("64 B Send, there and back", nanos, round);
    }

    private static void writeRoundTrip(Side side, int bytes) {
        int rounds = 40_000;
        int trips = 100;
        double[] nanos = new double[rounds];
        MemorySegment buffer = side.peer.buffer.segment();
        long end = System.nanoTime() + LONGEST_NANOS;
        int round = 0;
        for (; round < rounds && System.nanoTime() - end < 0; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < trips; i++) {
                side.awaitRoom(WINDOW);
                long next = ++side.pings;
                WORD.set(buffer, PING + bytes - 8, next);
                WORD.set(buffer, PING, next);
                var queuePair = side.peer.queuePair();
                PostStatus.check(queuePair.write(0, side.peer.buffer, PING, bytes, side.remote(), PING, side.flags));
                side.outstanding++;
                while ((long) WORD.getAcquire(buffer, PONG) != next) {
                    side.poll();
                }
            }
            nanos[round] = (System.nanoTime() - start) / (double) trips;
        }
        print(bytes + " B Write, 64 B back", nanos, round);
    }

    private static void batches(Side side) {
        int rounds = 40_000;
        int batches = 20;
        double[] nanos = new double[rounds];
        long sent = (long) WORD.getAcquire(side.peer.buffer.segment(), CREDIT);
        long end = System.nanoTime() + LONGEST_NANOS;
        int round = 0;
        for (; round < rounds && System.nanoTime() - end < 0; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < batches; i++) {
                while (sent + BATCH - (long) WORD.getAcquire(side.peer.buffer.segment(), CREDIT) > DEPTH - BATCH
                        || side.outstanding * BATCH > DEPTH - BATCH) {
                    side.poll();
                }
                Batch batch = side.peer.queuePair().batch();
                for (int n = 0; n < BATCH; n++) {
                    int flags = n == BATCH - 1 ? 1 : 0;
                    PostStatus.check(
                            flags == 1
                                    ? batch.send(0, side.peer.buffer, 0, SMALL, side.flags)
                                    : batch.send(0, side.peer.buffer, 0, SMALL, 0));
                }
                batch.submitAll();
                side.outstanding++;
                sent += BATCH;
            }
            nanos[round] = (System.nanoTime() - start) / (double) (batches * BATCH);
        }
        print("64 B Sends, 64 a batch", nanos, round);
    }

    // ---- the side that answers ------------------------------------------------------------------------------------

    private static void answer(int port, String[] options) throws IOException {
        Side side = new Side(options);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        side.peer.connected(side.peer.verbs.connect(address, side.queues(), side.config(), Peer.soon()));
        side.answers = true;
        side.begin();
        System.out.println("ready");
        MemorySegment buffer = side.peer.buffer.segment();
        long seen = 0;
        long told = 0;
        while (side.peer.connection().isConnected()) {
            side.poll();
            long ping = (long) WORD.getAcquire(buffer, PING);
            if (ping > seen && ping < 1L << 40) {
                seen = ping;
                WORD.set(buffer, PONG, seen);
                side.write(PONG);
            }
            long counted = side.received - side.echoes;
            if (counted - told >= BATCH) {
                told = counted;
                WORD.set(buffer, CREDIT, told);
                side.write(CREDIT);
            }
        }
    }

    /** One side, which polls. */
    private static final class Side {
        final Peer peer;
        final int flags = SendFlag.SIGNALED;
        private final WorkCompletions completions = WorkCompletions.ofCapacity(64);
        private @Nullable RemoteBuffer remote;
        int outstanding;
        long received;
        long echoes;
        long pings;
        boolean answers;

        Side(String[] options) {
            List<String> all = new ArrayList<>(List.of("progress=spin", "shm=require", "shm.direct=off"));
            all.addAll(List.of(options));
            peer = new Peer(4 * DEPTH, all.toArray(String[]::new));
        }

        QueuePairConfig queues() {
            return peer.config().withDepth(DEPTH, DEPTH);
        }

        ConnectionConfig config() {
            return ConnectionConfig.defaults().withPrivateData(Peer.remote(peer).encode());
        }

        void begin() {
            remote = RemoteBuffer.decode(peer.connection().privateData());
            for (int i = 0; i < DEPTH; i++) {
                PostStatus.check(peer.queuePair().recv(1, peer.buffer, 0, SMALL));
            }
        }

        RemoteBuffer remote() {
            return Objects.requireNonNull(remote);
        }

        void write(long offset) {
            PostStatus.check(peer.queuePair().write(0, peer.buffer, offset, 8, remote(), offset, flags));
        }

        void awaitRoom(int window) {
            while (outstanding >= window) {
                poll();
            }
        }

        void poll() {
            int count = peer.queue.poll(completions);
            for (int i = 0; i < count; i++) {
                WorkCompletion completion = completions.get(i);
                if (!completion.ok()) {
                    throw new IllegalStateException(completion.toString());
                }
                if (completion.wrId() == 0) {
                    outstanding--;
                    continue;
                }
                received++;
                // First, since the peer waits for it.
                if (answers && peer.buffer.segment().get(ValueLayout.JAVA_LONG, 0) == ECHO) {
                    echoes++;
                    outstanding++;
                    PostStatus.check(peer.queuePair().send(0, peer.buffer, 0, SMALL, flags));
                }
                PostStatus.check(peer.queuePair().recv(1, peer.buffer, 0, SMALL));
            }
        }
    }
}
