package org.panamaverbs.spi.watch;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.CounterValues;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.QueuePairStatistics;

/** What a device has counted beside its queue pairs. None of it is counted on the data path. Any thread. */
@SuppressWarnings("EnumOrdinal") // the table is its own order
final class DeviceCounts {
    // By ordinal of the counter.
    private final LongAdder[] own = new LongAdder[Counter.values().length];
    final Sums closed = new Sums();
    final LineRate failureLines = new LineRate();
    final LineRate refusalLines = new LineRate();

    DeviceCounts() {
        Arrays.setAll(own, place -> new LongAdder());
    }

    /** Counts one more of {@code counter}, which is one of devices. */
    void increment(Counter counter) {
        add(counter, 1);
    }

    /** Adds {@code change}, which may be negative for a level, to {@code counter}, which is one of devices. */
    void add(Counter counter, long change) {
        own[counter.ordinal()].add(change);
    }

    /** Sums of queue pairs and of completion queues. For one thread at a time, who has its monitor. */
    static final class Sums {
        // By ordinal of the counter.
        private final long[] values;

        Sums() {
            this(new long[Counter.values().length]);
        }

        private Sums(long[] values) {
            this.values = values;
        }

        /** Adds what {@code one} knows. */
        synchronized void add(QueuePairStatistics one) {
            for (Counter each : Counter.ofQueuePair()) {
                values[each.ordinal()] += known(one.value(each));
            }
            values[Counter.FLUSHED.ordinal()] += known(one.sendsFlushed()) + known(one.receivesFlushed());
        }

        synchronized void add(PollCounts one) {
            values[Counter.POLLS.ordinal()] += one.polls();
            values[Counter.EMPTY_POLLS.ordinal()] += one.empty();
        }

        private static long known(long number) {
            return Math.max(0, number);
        }

        /** Counts one more of {@code counter}, which is found by going through the queue pairs. */
        synchronized void increment(Counter counter) {
            values[counter.ordinal()]++;
        }

        /** Returns the sum of {@code counter}. */
        synchronized long value(Counter counter) {
            return values[counter.ordinal()];
        }

        /** Returns a copy. */
        synchronized Sums copy() {
            return new Sums(Arrays.copyOf(values, values.length));
        }
    }

    /** Returns all as of now, with {@code open} queue pairs and the completion queues {@code polled}. */
    DeviceStatistics statistics(
            String provider, String device, Iterable<QueuePairStatistics> open, Iterable<PollCounts> polled) {
        Sums sums = closed.copy();
        polled.forEach(sums::add);
        for (QueuePairStatistics each : open) {
            sums.add(each);
            sums.increment(Counter.QUEUE_PAIRS);
            if (each.state().equals("RTS")) {
                sums.increment(Counter.CONNECTIONS);
                if (each.carrier().equals(Carrier.SHARED_MEMORY.name())) {
                    sums.increment(Counter.SHARED_CONNECTIONS);
                }
            }
        }
        // Each is counted in one of the two.
        return new DeviceStatistics(
                provider,
                device,
                CounterValues.of(Counter.ofDevice(), each -> own[each.ordinal()].sum() + sums.value(each)));
    }
}
