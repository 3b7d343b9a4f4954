package org.panamaverbs.api.device;

/**
 * What the library has counted since a device was opened: the sums over its queue pairs, closed ones included, and
 * counters of the device. Unknown values of a queue pair add nothing to a sum.
 *
 * @param provider the provider's name
 * @param device the device's name
 * @param values a value, from 0, for each of {@link Counter#ofDevice()}
 */
public record DeviceStatistics(String provider, String device, CounterValues values) {
    /** Returns the value of {@code counter}, from 0; {@link CounterValues#UNKNOWN} if devices do not have it. */
    public long value(Counter counter) {
        return values.value(counter);
    }

    /** Returns {@link Counter#QUEUE_PAIRS}. */
    public int queuePairs() {
        return (int) value(Counter.QUEUE_PAIRS);
    }

    /** Returns {@link Counter#CONNECTIONS}. */
    public int connections() {
        return (int) value(Counter.CONNECTIONS);
    }

    /** Returns {@link Counter#SHARED_CONNECTIONS}. */
    public int sharedConnections() {
        return (int) value(Counter.SHARED_CONNECTIONS);
    }

    /** Returns {@link Counter#CONNECTIONS_MADE}. */
    public long connectionsMade() {
        return value(Counter.CONNECTIONS_MADE);
    }

    /** Returns {@link Counter#CONNECTIONS_FAILED}. */
    public long connectionsFailed() {
        return value(Counter.CONNECTIONS_FAILED);
    }

    /** Returns {@link Counter#SETUP_RETRIES}. */
    public long setupRetries() {
        return value(Counter.SETUP_RETRIES);
    }

    /** Returns {@link Counter#FAILURES}. */
    public long failures() {
        return value(Counter.FAILURES);
    }

    /** Returns {@link Counter#TERMINATES_SENT}. */
    public long terminatesSent() {
        return value(Counter.TERMINATES_SENT);
    }

    /** Returns {@link Counter#TERMINATES_RECEIVED}. */
    public long terminatesReceived() {
        return value(Counter.TERMINATES_RECEIVED);
    }

    /** Returns {@link Counter#STALLS}. */
    public long stalls() {
        return value(Counter.STALLS);
    }

    /** Returns {@link Counter#OVERRUNS}. */
    public long overruns() {
        return value(Counter.OVERRUNS);
    }

    /** Returns {@link Counter#ASYNC_EVENTS}. */
    public long asyncEvents() {
        return value(Counter.ASYNC_EVENTS);
    }

    /** Returns {@link Counter#REGISTRATIONS}. */
    public long registrations() {
        return value(Counter.REGISTRATIONS);
    }

    /** Returns {@link Counter#REGISTERED_BYTES}. */
    public long registeredBytes() {
        return value(Counter.REGISTERED_BYTES);
    }

    /** Returns {@link Counter#SLOW_PASSES}. */
    public long slowPasses() {
        return value(Counter.SLOW_PASSES);
    }

    /** Returns {@link Counter#SENDS_POSTED}. */
    public long sendsPosted() {
        return value(Counter.SENDS_POSTED);
    }

    /** Returns {@link Counter#SENDS_COMPLETED}. */
    public long sendsCompleted() {
        return value(Counter.SENDS_COMPLETED);
    }

    /** Returns {@link Counter#RECEIVES_POSTED}. */
    public long receivesPosted() {
        return value(Counter.RECEIVES_POSTED);
    }

    /** Returns {@link Counter#RECEIVES_COMPLETED}. */
    public long receivesCompleted() {
        return value(Counter.RECEIVES_COMPLETED);
    }

    /** Returns {@link Counter#FLUSHED}. */
    public long flushed() {
        return value(Counter.FLUSHED);
    }

    /** Returns {@link Counter#BYTES_SENT}. */
    public long bytesSent() {
        return value(Counter.BYTES_SENT);
    }

    /** Returns {@link Counter#BYTES_RECEIVED}. */
    public long bytesReceived() {
        return value(Counter.BYTES_RECEIVED);
    }

    /** Returns {@link Counter#WRITES}. */
    public long writes() {
        return value(Counter.WRITES);
    }

    /** Returns {@link Counter#READS}. */
    public long reads() {
        return value(Counter.READS);
    }

    /** Returns {@link Counter#SENDS_DIRECT}. */
    public long sendsDirect() {
        return value(Counter.SENDS_DIRECT);
    }

    /** Returns {@link Counter#POLLS}. */
    public long polls() {
        return value(Counter.POLLS);
    }

    /** Returns {@link Counter#EMPTY_POLLS}. */
    public long emptyPolls() {
        return value(Counter.EMPTY_POLLS);
    }
}
