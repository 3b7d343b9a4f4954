package org.panamaverbs.api.device;

import java.util.Arrays;
import java.util.List;

/**
 * A counter of queue pairs or devices. This table is the only list of them: {@link QueuePairStatistics} and
 * {@link DeviceStatistics} hold a value for each, Flight Recorder's periodic events have a field, {@code verbs top
 * --json} a name, Micrometer a meter, and the guide's page {@code watching} a row, which a test compares.
 */
public enum Counter {
    /** Queue pairs that are open now. */
    QUEUE_PAIRS("queuePairs", Of.DEVICE, Kind.LEVEL, Unit.NONE, "verbs.queuepairs", "open queue pairs"),

    /** Queue pairs that are connected now. */
    CONNECTIONS("connections", Of.DEVICE, Kind.LEVEL, Unit.NONE, "verbs.connections", "connected queue pairs"),

    /** Connections that shared memory carries now. */
    SHARED_CONNECTIONS(
            "sharedConnections",
            Of.DEVICE,
            Kind.LEVEL,
            Unit.NONE,
            "verbs.connections.shared",
            "connections over shared memory"),

    /** Connections established, by either side. */
    CONNECTIONS_MADE(
            "connectionsMade",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.setups",
            "connections established, by either side"),

    /** Attempts to connect that failed, by either side. */
    CONNECTIONS_FAILED(
            "connectionsFailed",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.setups.failed",
            "failed attempts to connect, by either side"),

    /** Connection setups that fell back to another transport or protocol. */
    SETUP_RETRIES(
            "setupRetries",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.setups.retried",
            "set-ups that fell back to another transport or protocol"),

    /** Connections that ended because of an error. */
    FAILURES("failures", Of.DEVICE, Kind.COUNT, Unit.NONE, "verbs.failures", "connections that failed"),

    /** Terminate messages sent; 0 where the provider does not see them. */
    TERMINATES_SENT(
            "terminatesSent",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.terminates.sent",
            "Terminate messages sent; 0 where the provider does not see them"),

    /** Terminate messages received; 0 where the provider does not see them. */
    TERMINATES_RECEIVED(
            "terminatesReceived",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.terminates.received",
            "Terminate messages received; 0 where the provider does not see them"),

    /** Connections ended because the peer had stopped. */
    STALLS(
            "stalls",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.stalls",
            "connections ended because the peer made no progress"),

    /** Completion queues that were overrun. */
    OVERRUNS("overruns", Of.DEVICE, Kind.COUNT, Unit.NONE, "verbs.overruns", "completion queue overruns"),

    /** Asynchronous events raised. */
    ASYNC_EVENTS("asyncEvents", Of.DEVICE, Kind.COUNT, Unit.NONE, "verbs.events", "asynchronous events raised"),

    /** Open memory regions. */
    REGISTRATIONS(
            "registrations", Of.DEVICE, Kind.LEVEL, Unit.NONE, "verbs.registrations", "open memory registrations"),

    /** Bytes of registered memory. */
    REGISTERED_BYTES("registeredBytes", Of.DEVICE, Kind.LEVEL, Unit.BYTES, "verbs.registered", "registered memory"),

    /** Passes of the event loop that took longer than 10 ms. */
    SLOW_PASSES(
            "slowPasses",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.loop.slow",
            "iterations of the event loop that took longer than 10 ms"),

    /** Work requests that the send queue accepted. */
    SENDS_POSTED(
            "sendsPosted",
            Of.BOTH,
            Kind.COUNT,
            Unit.NONE,
            "verbs.sends.posted",
            "work requests accepted by the send queue"),

    /** Sends that ended, in success or error, signaled or not. */
    SENDS_COMPLETED(
            "sendsCompleted",
            Of.BOTH,
            Kind.COUNT,
            Unit.NONE,
            "verbs.sends.completed",
            "completed sends, in success or error, signaled or not"),

    /** Sends that were flushed because the queue pair failed or ended; part of {@link #SENDS_COMPLETED}. */
    SENDS_FLUSHED("sendsFlushed", Of.QUEUE_PAIR, Kind.COUNT, Unit.NONE, "", "completed sends that were flushed"),

    /** Capacity of the send queue. */
    SEND_CAPACITY("sendCapacity", Of.QUEUE_PAIR, Kind.LEVEL, Unit.NONE, "", "slots of the send queue"),

    /** Receives that the queue pair's own receive queue accepted. */
    RECEIVES_POSTED(
            "receivesPosted",
            Of.BOTH,
            Kind.COUNT,
            Unit.NONE,
            "verbs.receives.posted",
            "receives accepted by the queue pair's own receive queue"),

    /** Receives that ended, in success or error; also of a shared receive queue. */
    RECEIVES_COMPLETED(
            "receivesCompleted",
            Of.BOTH,
            Kind.COUNT,
            Unit.NONE,
            "verbs.receives.completed",
            "completed receives, in success or error, including those of a shared receive queue"),

    /** Receives that were flushed; part of {@link #RECEIVES_COMPLETED}. */
    RECEIVES_FLUSHED(
            "receivesFlushed", Of.QUEUE_PAIR, Kind.COUNT, Unit.NONE, "", "completed receives that were flushed"),

    /** Capacity of the queue pair's own receive queue; 0 with a shared one. */
    RECEIVE_CAPACITY(
            "receiveCapacity",
            Of.QUEUE_PAIR,
            Kind.LEVEL,
            Unit.NONE,
            "",
            "slots of the queue pair's own receive queue; 0 with a shared one"),

    /** Sends and receives of all queue pairs that were flushed. */
    FLUSHED(
            "flushed",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.flushed",
            "sends and receives flushed because a queue pair failed or ended"),

    /** Outstanding Reads and atomics. */
    READS_OUTSTANDING("readsOutstanding", Of.QUEUE_PAIR, Kind.LEVEL, Unit.NONE, "", "outstanding Reads and Atomics"),

    /** Limit of outstanding Reads and atomics (ORD); 0 before the queue pair is connected. */
    READ_LIMIT(
            "readLimit",
            Of.QUEUE_PAIR,
            Kind.LEVEL,
            Unit.NONE,
            "",
            "limit of outstanding Reads and Atomics (ORD); 0 before the queue pair is connected"),

    /** Bytes sent. */
    BYTES_SENT("bytesSent", Of.BOTH, Kind.COUNT, Unit.BYTES, "verbs.sent", "bytes sent"),

    /** Bytes received. */
    BYTES_RECEIVED("bytesReceived", Of.BOTH, Kind.COUNT, Unit.BYTES, "verbs.received", "bytes received"),

    /** Calls that passed bytes to the transport. */
    WRITES("writes", Of.BOTH, Kind.COUNT, Unit.NONE, "verbs.writes", "calls that passed bytes to the transport"),

    /** Calls that read bytes from the transport, including those that found none. */
    READS(
            "reads",
            Of.BOTH,
            Kind.COUNT,
            Unit.NONE,
            "verbs.reads",
            "calls that asked the transport for bytes, including those that found none"),

    /** Completed sends that this side carried out itself, on memory of a peer on the same host. */
    SENDS_DIRECT(
            "sendsDirect",
            Of.BOTH,
            Kind.COUNT,
            Unit.NONE,
            "verbs.sends.direct",
            "completed sends carried out by this side itself, on memory of a peer on this host"),

    /** Polls of completion queues, including closed ones. */
    POLLS("polls", Of.DEVICE, Kind.COUNT, Unit.NONE, "verbs.polls", "completion queue polls"),

    /** Polls of completion queues that found nothing. */
    EMPTY_POLLS(
            "emptyPolls",
            Of.DEVICE,
            Kind.COUNT,
            Unit.NONE,
            "verbs.polls.empty",
            "completion queue polls that found nothing");

    /** The objects that have a counter. */
    public enum Of {
        /** Queue pairs; the device has no sum. */
        QUEUE_PAIR,
        /** Queue pairs; the device has the sum, closed queue pairs included. */
        BOTH,
        /** Devices only. */
        DEVICE
    }

    /** How a counter changes. */
    public enum Kind {
        /** Grows from 0 since the queue pair or device was created: it has a rate. */
        COUNT,
        /** Rises and falls: it is a state. */
        LEVEL
    }

    /** The unit of a counter. */
    public enum Unit {
        /** Things, which {@link #sentence} names. */
        NONE,
        /** Bytes. */
        BYTES
    }

    private static final List<Counter> QUEUE_PAIR =
            Arrays.stream(values()).filter(each -> each.of != Of.DEVICE).toList();
    private static final List<Counter> DEVICE =
            Arrays.stream(values()).filter(each -> each.of != Of.QUEUE_PAIR).toList();

    private final String field;
    private final Of of;
    private final Kind kind;
    private final Unit unit;
    private final String meter;
    private final String sentence;

    Counter(String field, Of of, Kind kind, Unit unit, String meter, String sentence) {
        this.field = field;
        this.of = of;
        this.kind = kind;
        this.unit = unit;
        this.meter = meter;
        this.sentence = sentence;
    }

    /** Returns the counters of a queue pair in their order, unmodifiable. */
    public static List<Counter> ofQueuePair() {
        return QUEUE_PAIR;
    }

    /** Returns the counters of a device in their order, unmodifiable. */
    public static List<Counter> ofDevice() {
        return DEVICE;
    }

    /** Returns the counter's name in events, in JSON and among the accessors, for example {@code sendsPosted}. */
    public String field() {
        return field;
    }

    /** Returns the objects that have the counter. */
    public Of of() {
        return of;
    }

    /** Returns how the counter changes. */
    public Kind kind() {
        return kind;
    }

    /** Returns the unit. */
    public Unit unit() {
        return unit;
    }

    /** Returns the name of the device's meter, for example {@code verbs.sends.posted}; empty if it has none. */
    public String meter() {
        return meter;
    }

    /** Returns the description, without a capital at the start or a full stop. */
    public String sentence() {
        return sentence;
    }
}
