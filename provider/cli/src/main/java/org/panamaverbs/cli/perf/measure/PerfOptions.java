package org.panamaverbs.cli.perf.measure;

import java.time.Duration;
import java.util.List;

/**
 * What the command line of perf says about a run.
 *
 * @param test what is measured
 * @param sizes octets of a message, ascending
 * @param iterations measured messages a size and queue pair; 0 with a duration
 * @param duration how long a size is measured; zero with iterations
 * @param warmUp what comes before, a size
 * @param queuePairs connections
 * @param txDepth work requests that a queue pair may have in flight
 * @param rxDepth receives of a queue pair
 * @param postList work requests that are posted at once
 * @param cqModeration one of so many work requests is signaled
 * @param inlineBytes the longest message that goes inline, -1 for the test's default
 * @param outstanding Reads and Atomics that a connection may have in flight, 0 for up to 16 as the device has
 * @param compareAndSwap true for CmpSwap, false for FetchAdd
 * @param bidirectional true if both sides send in a bandwidth test
 * @param events true to sleep until an event in place of polling
 * @param typeOfService the IP type of service
 * @param timeout the limit of a wait for the peer
 */
public record PerfOptions(
        PerfTest test,
        List<Integer> sizes,
        int iterations,
        Duration duration,
        WarmUp warmUp,
        int queuePairs,
        int txDepth,
        int rxDepth,
        int postList,
        int cqModeration,
        int inlineBytes,
        int outstanding,
        boolean compareAndSwap,
        boolean bidirectional,
        boolean events,
        int typeOfService,
        Duration timeout) {
    // perftest's for latency, as far as the device goes
    private static final int DEFAULT_INLINE = 220;
    private static final int DEFAULT_OUTSTANDING = 16;

    /** Returns the longest message that goes inline on a device that takes up to {@code limit} octets. */
    public int inlineBytes(int limit) {
        int wanted = inlineBytes >= 0 ? inlineBytes : test.isBandwidth() ? 0 : DEFAULT_INLINE;
        return test.operation().isAnswered() ? 0 : Math.min(wanted, limit);
    }

    /** Returns how many Reads and Atomics may be in flight on a device that has up to {@code limit}. */
    public int outstanding(int limit) {
        return outstanding > 0 ? outstanding : Math.min(DEFAULT_OUTSTANDING, limit);
    }

    public int largest() {
        return sizes.getLast();
    }
}
