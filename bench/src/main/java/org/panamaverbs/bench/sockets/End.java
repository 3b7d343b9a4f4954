package org.panamaverbs.bench.sockets;

import java.io.IOException;

/** One side of what is measured: a server that answers, or a client that asks. At rest unless told otherwise. */
interface End extends AutoCloseable {
    /** Octets of a message of a round trip. */
    int MESSAGE_BYTES = 64;

    /** For how long an answer may be missing. */
    long LIMIT_SECONDS = 20;

    /**
     * What was measured.
     *
     * @param value nanoseconds of a round trip, the median, or octets a second
     * @param garbageBytes octets that the measuring thread left to the collector, for each message
     */
    record Figure(double value, double garbageBytes) {}

    /** Answers from now on, on a thread of its own, which polls or else sleeps when there is nothing. */
    void serve(boolean polls) throws Exception;

    /** Ends that. */
    void rest() throws Exception;

    /** Asks for {@code nanos}, by a thread that polls or else sleeps while it waits. */
    Figure measure(boolean polls, long nanos) throws Exception;

    @Override
    void close() throws IOException;
}
