package org.panamaverbs.cli.perf.measure;

import java.time.Duration;
import java.util.List;

/**
 * What the command line of perf says about a run.
 *
 * @param test what is measured
 * @param sizes bytes of a message, ascending
 * @param span how long each of them is measured
 * @param queues how many queue pairs there are, and how they are used
 * @param mode what else there is to choose of the test
 * @param typeOfService the IP type of service
 * @param timeout the limit of a wait for the peer
 */
public record PerfOptions(
        PerfTest test, List<Integer> sizes, Span span, Queues queues, Mode mode, int typeOfService, Duration timeout) {
    /**
     * How long a size is measured.
     *
     * @param iterations measured messages a size and queue pair; 0 with seconds
     * @param seconds how long a size is measured; 0 with iterations
     * @param warmUp what comes before, a size
     */
    public record Span(int iterations, int seconds, WarmUp warmUp) {
        /** Returns how long a size is measured; zero with iterations. */
        public Duration duration() {
            return Duration.ofSeconds(seconds);
        }
    }

    /**
     * The queue pairs and what is in flight on each.
     *
     * @param pairs connections
     * @param txDepth work requests that a queue pair may have in flight
     * @param rxDepth receives of a queue pair
     * @param postList work requests that are posted at once
     * @param cqModeration one of so many work requests is signaled
     * @param inlineBytes the longest message that goes inline, -1 for the test's default
     * @param outstanding Reads and Atomics that a connection may have in flight, 0 for up to 16 as the device has
     */
    public record Queues(
            int pairs, int txDepth, int rxDepth, int postList, int cqModeration, int inlineBytes, int outstanding) {}

    /**
     * Which form of the test is run.
     *
     * @param compareAndSwap true for CmpSwap, false for FetchAdd
     * @param bidirectional true if both sides send in a bandwidth test
     * @param events true to sleep until an event in place of polling
     * @param spin with events, how long a wait polls before it sleeps; each side has its own
     */
    public record Mode(boolean compareAndSwap, boolean bidirectional, boolean events, Duration spin) {}

    // perftest's for latency, as far as the device goes
    private static final int DEFAULT_INLINE = 220;
    private static final int DEFAULT_OUTSTANDING = 16;

    /** Returns the longest message that goes inline on a device that takes up to {@code limit} bytes. */
    public int inlineBytes(int limit) {
        int wanted = queues.inlineBytes() >= 0 ? queues.inlineBytes() : test.isBandwidth() ? 0 : DEFAULT_INLINE;
        return test.operation().isAnswered() ? 0 : Math.min(wanted, limit);
    }

    /** Returns how many Reads and Atomics may be in flight on a device that has up to {@code limit}. */
    public int outstanding(int limit) {
        return queues.outstanding() > 0 ? queues.outstanding() : Math.min(DEFAULT_OUTSTANDING, limit);
    }

    public int largest() {
        return sizes.getLast();
    }
}
