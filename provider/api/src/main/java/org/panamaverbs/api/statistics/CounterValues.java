package org.panamaverbs.api.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.ToLongFunction;

/** A value for each counter of a queue pair or of a device, as of a moment ago. Immutable; any thread. */
@SuppressWarnings("EnumOrdinal") // the table is its own order
public final class CounterValues {
    /** The value of a counter that the provider cannot know: -1. */
    public static final int UNKNOWN = -1;

    private final List<Counter> counters;
    // By ordinal of the counter.
    private final long[] values;

    private CounterValues(List<Counter> counters, long[] values) {
        this.counters = counters;
        this.values = values;
    }

    /**
     * Returns what {@code value} says of each of {@code counters}, which are {@link Counter#ofQueuePair()} or
     * {@link Counter#ofDevice()}; it is asked at once, on this thread.
     */
    public static CounterValues of(List<Counter> counters, ToLongFunction<Counter> value) {
        long[] values = new long[Counter.values().length];
        Arrays.fill(values, UNKNOWN);
        counters.forEach(each -> values[each.ordinal()] = value.applyAsLong(each));
        return new CounterValues(List.copyOf(counters), values);
    }

    /** Returns the counters that have values here, in their order, unmodifiable. */
    public List<Counter> counters() {
        return counters;
    }

    /**
     * Returns the value of {@code counter}, from 0; {@link #UNKNOWN} if the provider does not know it, or if it does
     * not count for this queue pair or device.
     */
    public long value(Counter counter) {
        return values[counter.ordinal()];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CounterValues it && counters.equals(it.counters) && Arrays.equals(values, it.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** Returns all of them by name, for example {@code [sendsPosted=3, sendsCompleted=2]}. */
    @Override
    public String toString() {
        StringJoiner all = new StringJoiner(", ", "[", "]");
        counters.forEach(each -> all.add(each.field() + "=" + value(each)));
        return all.toString();
    }
}
