package org.panamaverbs.bench.binding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.panamaverbs.stub.StubLibrary.UnavailableException;

/**
 * Measures what posting a batch of RDMA Writes costs by a chain and by {@code ibv_wr_*} (decision 25);
 * {@code bench/batches} starts it. The ways take turns of some microseconds, and medians are compared, so that other
 * work of the machine meets all of them alike or is not seen.
 */
public final class BatchRun {
    private static final int[] BATCHES = {1, 16, 64};
    private static final int ROUNDS = 5_000;
    private static final int ROUNDS_ON_DEVICE = 1_000; // an emulated one takes a millisecond for some batches
    private static final int CALLS = 100;
    private static final int KEY = 1;

    /** One way: posts some times and returns how often that succeeded. */
    private record Way(String name, LongSupplier posts) {}

    private BatchRun() {}

    /**
     * Takes a device and the index of its GID, {@code rxe0 1}, or a directory for the library of the ring, a driver
     * that does nothing but note what is posted.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, UnavailableException {
        if (arguments.length > 1) {
            device(new LoopbackQueuePair(arguments[0], Byte.parseByte(arguments[1])));
        } else {
            Path library = MeasuredStub.compile(Path.of(arguments[0]));
            System.setProperty("verbs.libibverbs", library.toString());
            ring();
        }
    }

    private static void ring() {
        MemorySegment qp = Floor.ring();
        for (int count : BATCHES) {
            WriteBatch plain = new WriteBatch(qp, count, false);
            WriteBatch critical = new WriteBatch(qp, count, true);
            long at = plain.requests();
            measure(
                    ROUNDS,
                    count,
                    CALLS,
                    () -> {},
                    new Way("C, chain", () -> Floor.chain(qp.address(), at, count, CALLS)),
                    new Way("C, ibv_wr_*", () -> Floor.wr(qp.address(), at, count, CALLS)),
                    new Way("Java, chain", () -> chains(plain, at)),
                    new Way("Java, ibv_wr_*", () -> calls(plain, at)),
                    new Way("Java, critical chain", () -> chains(critical, at)),
                    new Way("Java, critical ibv_wr_*", () -> calls(critical, at)));
        }
    }

    private static long chains(WriteBatch batch, long at) {
        for (int i = 0; i < CALLS; i++) {
            if (batch.chain(at, KEY, at, KEY) != 0) {
                return i;
            }
        }
        return CALLS;
    }

    private static long calls(WriteBatch batch, long at) {
        for (int i = 0; i < CALLS; i++) {
            if (batch.calls(at, KEY, at, KEY) != 0) {
                return i;
            }
        }
        return CALLS;
    }

    private static void device(LoopbackQueuePair to) {
        long from = to.address();
        long into = from + WriteBatch.LENGTH;
        for (int count : BATCHES) {
            WriteBatch batch = new WriteBatch(to.handle(), count, false);
            measure(
                    ROUNDS_ON_DEVICE,
                    count,
                    1,
                    to::await,
                    new Way("Java, chain", () -> 1 - batch.chain(from, to.lkey(), into, to.rkey())),
                    new Way("Java, ibv_wr_*", () -> 1 - batch.calls(from, to.lkey(), into, to.rkey())));
        }
    }

    /**
     * Prints of each way the median of what {@code calls} batches took, by batch, after as many rounds to warm up;
     * {@code after} is not counted.
     */
    private static void measure(int rounds, int count, int calls, Runnable after, Way... ways) {
        long[][] times = new long[ways.length][rounds];
        for (int round = -rounds; round < rounds; round++) {
            for (int i = 0; i < ways.length; i++) {
                long began = System.nanoTime();
                long done = ways[i].posts().getAsLong();
                times[i][Math.max(round, 0)] = System.nanoTime() - began;
                if (done != calls) {
                    throw new IllegalStateException(ways[i].name() + ": a post failed");
                }
                after.run();
            }
        }
        for (int i = 0; i < ways.length; i++) {
            Arrays.sort(times[i]);
            System.out.printf(
                    Locale.ROOT,
                    "batches of %2d  %-24s %9.1f ns%n",
                    count,
                    ways[i].name(),
                    (double) times[i][rounds / 2] / calls);
        }
    }
}
