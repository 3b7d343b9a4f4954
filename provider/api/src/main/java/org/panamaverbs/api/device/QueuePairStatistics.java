package org.panamaverbs.api.device;

import java.util.Arrays;

/**
 * What a queue pair has counted since its creation, and the fill of its queues. A number that its provider does not
 * know is {@link #UNKNOWN}; the guide's page {@code watching} lists what each provider counts.
 *
 * <p>Values are read while counting continues: each is correct by itself, and two may be of slightly different times.
 *
 * @param number the queue pair number
 * @param state its state, a name of {@code QueuePairState}; {@code CLOSED} once it is closed
 * @param peer address and port of the peer, empty before it is connected
 * @param carrier the carrier of the connection, a name of {@code Carrier}; empty before it is connected
 * @param transport the negotiated options, for people; empty before it is connected
 * @param values a value for each of {@link Counter#ofQueuePair()}
 */
public record QueuePairStatistics(
        int number, String state, String peer, String carrier, String transport, CounterValues values) {
    /** The value of a counter that the provider does not know: -1. */
    public static final int UNKNOWN = CounterValues.UNKNOWN;

    /** Returns a builder for statistics of queue pair {@code number}, with all values unknown. */
    public static Builder builder(int number) {
        return new Builder(number);
    }

    /** Returns the value of {@code counter}, from 0; {@link #UNKNOWN} if the provider or queue pairs do not have it. */
    public long value(Counter counter) {
        return values.value(counter);
    }

    /** Returns {@link Counter#SENDS_POSTED}, {@link #UNKNOWN} if unknown. */
    public long sendsPosted() {
        return value(Counter.SENDS_POSTED);
    }

    /** Returns {@link Counter#SENDS_COMPLETED}, {@link #UNKNOWN} if unknown. */
    public long sendsCompleted() {
        return value(Counter.SENDS_COMPLETED);
    }

    /** Returns {@link Counter#SENDS_FLUSHED}, {@link #UNKNOWN} if unknown. */
    public long sendsFlushed() {
        return value(Counter.SENDS_FLUSHED);
    }

    /** Returns {@link Counter#SEND_CAPACITY}, {@link #UNKNOWN} if unknown. */
    public int sendCapacity() {
        return (int) value(Counter.SEND_CAPACITY);
    }

    /** Returns {@link Counter#RECEIVES_POSTED}, {@link #UNKNOWN} if unknown. */
    public long receivesPosted() {
        return value(Counter.RECEIVES_POSTED);
    }

    /** Returns {@link Counter#RECEIVES_COMPLETED}, {@link #UNKNOWN} if unknown. */
    public long receivesCompleted() {
        return value(Counter.RECEIVES_COMPLETED);
    }

    /** Returns {@link Counter#RECEIVES_FLUSHED}, {@link #UNKNOWN} if unknown. */
    public long receivesFlushed() {
        return value(Counter.RECEIVES_FLUSHED);
    }

    /** Returns {@link Counter#RECEIVE_CAPACITY}, {@link #UNKNOWN} if unknown. */
    public int receiveCapacity() {
        return (int) value(Counter.RECEIVE_CAPACITY);
    }

    /** Returns {@link Counter#READS_OUTSTANDING}, {@link #UNKNOWN} if unknown. */
    public int readsOutstanding() {
        return (int) value(Counter.READS_OUTSTANDING);
    }

    /** Returns {@link Counter#READ_LIMIT}, {@link #UNKNOWN} if unknown. */
    public int readLimit() {
        return (int) value(Counter.READ_LIMIT);
    }

    /** Returns {@link Counter#BYTES_SENT}, {@link #UNKNOWN} if unknown. */
    public long bytesSent() {
        return value(Counter.BYTES_SENT);
    }

    /** Returns {@link Counter#BYTES_RECEIVED}, {@link #UNKNOWN} if unknown. */
    public long bytesReceived() {
        return value(Counter.BYTES_RECEIVED);
    }

    /** Returns {@link Counter#WRITES}, {@link #UNKNOWN} if unknown. */
    public long writes() {
        return value(Counter.WRITES);
    }

    /** Returns {@link Counter#READS}, {@link #UNKNOWN} if unknown. */
    public long reads() {
        return value(Counter.READS);
    }

    /** Returns {@link Counter#SENDS_DIRECT}, {@link #UNKNOWN} if unknown. */
    public long sendsDirect() {
        return value(Counter.SENDS_DIRECT);
    }

    /** Returns the number of outstanding sends, the fill of the send queue; {@link #UNKNOWN} if unknown. */
    public long sendsOutstanding() {
        return difference(sendsPosted(), sendsCompleted());
    }

    /** Returns the number of outstanding receives of its own queue; {@link #UNKNOWN} if unknown or shared. */
    public long receivesLeft() {
        return receiveCapacity() == 0 ? UNKNOWN : difference(receivesPosted(), receivesCompleted());
    }

    /** Returns the average number of work requests per transport write, 0 before the first; NaN if unknown. */
    public double sendsPerWrite() {
        if (sendsPosted() == UNKNOWN || writes() == UNKNOWN) {
            return Double.NaN;
        }
        return writes() == 0 ? 0 : (double) sendsPosted() / writes();
    }

    private static long difference(long all, long done) {
        // The later number may have been read before the earlier one grew.
        return all == UNKNOWN || done == UNKNOWN ? UNKNOWN : Math.max(0, all - done);
    }

    /** A builder of statistics; values that are not set are unknown. For one thread. */
    @SuppressWarnings("EnumOrdinal") // the table is its own order
    public static final class Builder {
        private final int number;
        private String state = "";
        private String peer = "";
        private String carrier = "";
        private String transport = "";
        // By ordinal of the counter.
        private final long[] values = new long[Counter.values().length];

        private Builder(int number) {
            this.number = number;
            Arrays.fill(values, UNKNOWN);
        }

        /** Sets state, peer, carrier and transport. */
        public Builder connection(String itsState, String itsPeer, String itsCarrier, String itsTransport) {
            state = itsState;
            peer = itsPeer;
            carrier = itsCarrier;
            transport = itsTransport;
            return this;
        }

        /**
         * Sets {@code counter} to {@code value}, from 0, or {@link #UNKNOWN}.
         *
         * @throws IllegalArgumentException if {@code counter} is none of {@link Counter#ofQueuePair()}
         */
        public Builder set(Counter counter, long value) {
            if (counter.of() == Counter.Of.DEVICE) {
                throw new IllegalArgumentException(counter + " is a counter of devices, not of queue pairs");
            }
            values[counter.ordinal()] = value;
            return this;
        }

        /** Returns the statistics with the values set. */
        public QueuePairStatistics build() {
            return new QueuePairStatistics(
                    number,
                    state,
                    peer,
                    carrier,
                    transport,
                    CounterValues.of(Counter.ofQueuePair(), each -> values[each.ordinal()]));
        }
    }
}
