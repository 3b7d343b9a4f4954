package org.panamaverbs.testkit.soak.ledger;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What was done, counted. Any thread. */
public final class Tally {
    /** What is counted. */
    public enum Count {
        SENDS("Send"),
        INLINE_SENDS("Send, inline"),
        WRITES("RDMA Write"),
        WRITES_WITH_IMMEDIATE("RDMA Write with immediate"),
        IMMEDIATES("Immediate Data"),
        READS("RDMA Read"),
        FETCH_ADDS("FetchAdd"),
        CMP_SWAPS("CmpSwap"),
        MASKED_ATOMICS("masked atomics"),
        CREDITS("RDMA Write of a credit, inline"),
        RECEIVED("receives, own queue"),
        RECEIVED_SHARED("receives, shared queue"),
        SENDS_POSTED("send requests posted"),
        RECEIVES_POSTED("receives posted"),
        TOLD("send requests completed"),
        IMPLIED("unsignaled, done silently"),
        FLUSHED("flushed or failed, reported once"),
        DISCARDED("discarded by closing the queue pair"),
        CONNECTED("connected"),
        ACCEPTED("accepted"),
        BY_SHARED_MEMORY("of both, by shared memory"),
        BY_NETWORK("of both, by the network"),
        ATTEMPTS_FAILED("attempts that failed"),
        DISCONNECTED("ended by disconnect"),
        ABORTED("ended by closing the connection"),
        SET_TO_ERROR("ended by state ERROR"),
        CLOSED_IN_FLIGHT("ended by closing the queue pair"),
        ENDED_BY_PEER("ended by the peer"),
        ENDED_BY_KILL("ended by the peer's death"),
        KILLED_SHARED("of them, by shared memory"),
        KILLED_NETWORK("of them, by the network"),
        SLOW_DELIVERED("slow readers at the end, served"),
        SLOW_TOLD("slow readers cut off, and told of it"),
        HOSTILE("hostile peers accepted"),
        REQUESTS_REFUSED("requests turned away"),
        KILLS("peers killed"),
        POLLS("polls"),
        EMPTY_POLLS("polls without completion"),
        QUEUE_FULL("posts put off: queue full");

        private final String text;

        Count(String text) {
            this.text = text;
        }

        /** Returns the name for people. */
        public String text() {
            return text;
        }
    }

    private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

    /** Creates a tally that is 0 throughout. */
    public Tally() {
        for (Count what : Count.values()) {
            counts.put(what, new LongAdder());
        }
    }

    /** Counts one of {@code what}. */
    public void add(Count what) {
        counter(what).increment();
    }

    /** Counts {@code much} of {@code what}. */
    public void add(Count what, long much) {
        counter(what).add(much);
    }

    /** Returns how many of {@code what} there were. */
    public long count(Count what) {
        return counter(what).sum();
    }

    private LongAdder counter(Count what) {
        return Objects.requireNonNull(counts.get(what));
    }

    /** Returns a copy of all counts. */
    public Map<Count, Long> snapshot() {
        Map<Count, Long> copy = new EnumMap<>(Count.class);
        for (Count what : Count.values()) {
            copy.put(what, count(what));
        }
        return copy;
    }
}
