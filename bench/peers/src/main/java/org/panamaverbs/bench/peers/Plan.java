package org.panamaverbs.bench.peers;

/**
 * What is measured; both sides get the same.
 *
 * @param test which measurement
 * @param size bytes of a message, 8 or more
 * @param count messages, or round trips, that are measured
 * @param warmUp how many come before them
 * @param batch messages of a stream that are handed over before they are flushed
 * @param spin true to poll without a pause; false to sleep until something comes, or to yield where the peer cannot
 * @param verify true to compare every byte that arrives
 */
record Plan(Test test, int size, int count, int warmUp, int batch, boolean spin, boolean verify) {

    /** Each message is echoed before the next; or all go one way, and the last is acknowledged. */
    enum Test {
        PING_PONG,
        STREAM
    }

    Plan {
        if (size < Long.BYTES || count < 1 || warmUp < 1 || batch < 1) {
            throw new IllegalArgumentException("a message has at least " + Long.BYTES
                    + " bytes, and there is at least one: " + size + " bytes, " + count + " measured, " + warmUp
                    + " before, " + batch + " at once");
        }
    }

    /**
     * Between two looks for what comes, by threads that poll.
     *
     * @throws InterruptedException if the thread is to end
     */
    void pause() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting for the other side");
        }
        if (!spin) {
            Thread.yield();
        }
    }

    long messages() {
        return (long) warmUp + count;
    }

    /**
     * Tells whether the other side acknowledges once {@code messages} have arrived: after the warm-up and at the end.
     */
    boolean isAcknowledged(long messages) {
        return messages == warmUp || messages == messages();
    }
}
