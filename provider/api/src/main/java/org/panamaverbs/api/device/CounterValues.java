package org.panamaverbs.api.device;

import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.ToLongFunction;

/** A value for each counter of a queue pair or device at one time. Immutable. */
@SuppressWarnings("EnumOrdinal") // the table is its own order
public final class CounterValues {
    /** The value of a counter that the provider does not know: -1. */
    public static final int UNKNOWN = -1;

    private final List<Counter> counters;
    // By ordinal of the counter.
    private final long[] values;

    private CounterValues(List<Counter> counters, long[] values) {
        this.counters = counters;
        this.values = values;
    }

    /**
     * Returns the values of {@code counters}.
     *
     * @param counters {@link Counter#ofQueuePair()} or {@link Counter#ofDevice()}
     * @param value supplies each value; called at once, on this thread
     */
    public static CounterValues of(List<Counter> counters, ToLongFunction<Counter> value) {
        long[] values = new long[Counter.values().length];
        Arrays.fill(values, UNKNOWN);
        counters.forEach(each -> values[each.ordinal()] = value.applyAsLong(each));
        return new CounterValues(List.copyOf(counters), values);
    }

    /** Returns the counters with values, in their order, unmodifiable. */
    public List<Counter> counters() {
        return counters;
    }

    /**
     * Returns the value of {@code counter}, from 0; {@link #UNKNOWN} if the provider does not know it or it does not
     * apply.
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

    /** Returns all values by name, for example {@code [sendsPosted=3, sendsCompleted=2]}. */
    @Override
    public String toString() {
        StringJoiner all = new StringJoiner(", ", "[", "]");
        counters.forEach(each -> all.add(each.field() + "=" + value(each)));
        return all.toString();
    }
}
