package org.panamaverbs.api.statistics;

/**
 * What a queue pair has counted since it was made, and how full it is now. A number that its provider cannot tell is
 * {@link #UNKNOWN}; docs/guide/watching.md says what each provider counts.
 *
 * <p>The numbers are read while others count on: each is right by itself, as of a moment ago, and two of them may be of
 * slightly different moments.
 *
 * @param number the queue pair's number
 * @param state its state, by the name in {@code QueuePairState}; {@code CLOSED} once it is closed
 * @param peer address and port of the peer, empty before it is connected
 * @param carrier what carries the connection, by its name in {@code Carrier}; empty before it is connected
 * @param transport what was negotiated and what carries it, for people; empty before it is connected
 * @param sendsPosted work requests that the send queue took
 * @param sendsCompleted those of them that are done, in success or error, signaled or not
 * @param sendsFlushed those of them that were flushed because the queue pair failed or ended
 * @param sendCapacity places of the send queue
 * @param receivesPosted receives that the queue pair's own receive queue took
 * @param receivesCompleted receives that are done, in success or error; also of a shared receive queue
 * @param receivesFlushed those of them that were flushed
 * @param receiveCapacity places of its own receive queue, 0 with a shared one
 * @param readsOutstanding Reads and Atomics that wait for their answers
 * @param readLimit how many may wait (ORD), 0 before it is connected
 * @param octetsSent octets sent
 * @param octetsReceived octets received
 * @param writes calls that gave octets to the transport
 * @param reads calls that asked the transport for octets, those that found none included
 * @param sendsDirect those of the completed sends that this side carried out itself, on memory of a peer of this host
 */
public record QueuePairStatistics(
        int number,
        String state,
        String peer,
        String carrier,
        String transport,
        long sendsPosted,
        long sendsCompleted,
        long sendsFlushed,
        int sendCapacity,
        long receivesPosted,
        long receivesCompleted,
        long receivesFlushed,
        int receiveCapacity,
        int readsOutstanding,
        int readLimit,
        long octetsSent,
        long octetsReceived,
        long writes,
        long reads,
        long sendsDirect) {
    /** A number that the provider cannot tell. */
    public static final int UNKNOWN = -1;

    /** Begins statistics of queue pair {@code number}, of which nothing else is known. */
    public static Builder builder(int number) {
        return new Builder(number);
    }

    /** Returns how many sends are posted and not done (the fill of the send queue), {@link #UNKNOWN} if unknown. */
    public long sendsOutstanding() {
        return difference(sendsPosted, sendsCompleted);
    }

    /** Returns how many receives of its own queue are posted and not done, {@link #UNKNOWN} if unknown or shared. */
    public long receivesLeft() {
        return receiveCapacity == 0 ? UNKNOWN : difference(receivesPosted, receivesCompleted);
    }

    /** Returns how many work requests a call of the transport sent on average, 0 without any; NaN if unknown. */
    public double sendsPerWrite() {
        if (sendsPosted == UNKNOWN || writes == UNKNOWN) {
            return Double.NaN;
        }
        return writes == 0 ? 0 : (double) sendsPosted / writes;
    }

    private static long difference(long all, long done) {
        // The later number may have been read before the earlier one grew.
        return all == UNKNOWN || done == UNKNOWN ? UNKNOWN : Math.max(0, all - done);
    }

    /** Statistics, set value by value; what is not set is unknown. For one thread. */
    public static final class Builder {
        private final int number;
        private String state = "";
        private String peer = "";
        private String carrier = "";
        private String transport = "";
        private long sendsPosted = UNKNOWN;
        private long sendsCompleted = UNKNOWN;
        private long sendsFlushed = UNKNOWN;
        private int sendCapacity = UNKNOWN;
        private long receivesPosted = UNKNOWN;
        private long receivesCompleted = UNKNOWN;
        private long receivesFlushed = UNKNOWN;
        private int receiveCapacity = UNKNOWN;
        private int readsOutstanding = UNKNOWN;
        private int readLimit = UNKNOWN;
        private long octetsSent = UNKNOWN;
        private long octetsReceived = UNKNOWN;
        private long writes = UNKNOWN;
        private long reads = UNKNOWN;
        private long sendsDirect = UNKNOWN;

        private Builder(int number) {
            this.number = number;
        }

        /** Sets state, peer, what carries the connection, and that in words. */
        public Builder connection(String itsState, String itsPeer, String itsCarrier, String itsTransport) {
            state = itsState;
            peer = itsPeer;
            carrier = itsCarrier;
            transport = itsTransport;
            return this;
        }

        /** Sets how many sends were posted, are done, were flushed, and fit in. */
        public Builder sends(long posted, long completed, long flushed, int capacity) {
            sendsPosted = posted;
            sendsCompleted = completed;
            sendsFlushed = flushed;
            sendCapacity = capacity;
            return this;
        }

        /** Sets how many receives were posted, are done, were flushed, and fit in. */
        public Builder receives(long posted, long completed, long flushed, int capacity) {
            receivesPosted = posted;
            receivesCompleted = completed;
            receivesFlushed = flushed;
            receiveCapacity = capacity;
            return this;
        }

        /** Sets how many Reads and Atomics wait for answers, and may. */
        public Builder readsOutstanding(int now, int limit) {
            readsOutstanding = now;
            readLimit = limit;
            return this;
        }

        /** Sets how many octets went each way. */
        public Builder octets(long sent, long received) {
            octetsSent = sent;
            octetsReceived = received;
            return this;
        }

        /** Sets how many calls moved them. */
        public Builder calls(long writing, long reading) {
            writes = writing;
            reads = reading;
            return this;
        }

        /** Sets how many sends this side carried out itself. */
        public Builder direct(long sends) {
            sendsDirect = sends;
            return this;
        }

        /** Returns what was set so far. */
        public QueuePairStatistics build() {
            return new QueuePairStatistics(
                    number,
                    state,
                    peer,
                    carrier,
                    transport,
                    sendsPosted,
                    sendsCompleted,
                    sendsFlushed,
                    sendCapacity,
                    receivesPosted,
                    receivesCompleted,
                    receivesFlushed,
                    receiveCapacity,
                    readsOutstanding,
                    readLimit,
                    octetsSent,
                    octetsReceived,
                    writes,
                    reads,
                    sendsDirect);
        }
    }
}
