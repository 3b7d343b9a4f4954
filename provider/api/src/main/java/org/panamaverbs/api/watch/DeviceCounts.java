package org.panamaverbs.api.watch;

import java.util.concurrent.atomic.LongAdder;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.statistics.DeviceStatistics;
import org.panamaverbs.api.statistics.QueuePairStatistics;

/** What a device has counted beside its queue pairs. None of it is counted on the data path. Any thread. */
final class DeviceCounts {
    final LongAdder made = new LongAdder();
    final LongAdder notMade = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder terminatesSent = new LongAdder();
    final LongAdder terminatesReceived = new LongAdder();
    final LongAdder stalls = new LongAdder();
    final LongAdder overruns = new LongAdder();
    final LongAdder asyncEvents = new LongAdder();
    final LongAdder registrations = new LongAdder();
    final LongAdder registeredBytes = new LongAdder();
    final LongAdder slowPasses = new LongAdder();
    final Sums closed = new Sums();
    final LineRate failureLines = new LineRate();

    /** Sums of queue pairs. For one thread at a time, who has its monitor. */
    static final class Sums {
        private long sendsPosted;
        private long sendsCompleted;
        private long receivesPosted;
        private long receivesCompleted;
        private long flushed;
        private long octetsSent;
        private long octetsReceived;
        private long writes;
        private long reads;
        private long sendsDirect;
        private long polls;
        private long emptyPolls;

        /** Adds what {@code one} knows. */
        synchronized void add(QueuePairStatistics one) {
            sendsPosted += known(one.sendsPosted());
            sendsCompleted += known(one.sendsCompleted());
            receivesPosted += known(one.receivesPosted());
            receivesCompleted += known(one.receivesCompleted());
            flushed += known(one.sendsFlushed()) + known(one.receivesFlushed());
            octetsSent += known(one.octetsSent());
            octetsReceived += known(one.octetsReceived());
            writes += known(one.writes());
            reads += known(one.reads());
            sendsDirect += known(one.sendsDirect());
        }

        synchronized void add(PollCounts one) {
            polls += one.polls();
            emptyPolls += one.empty();
        }

        private static long known(long number) {
            return Math.max(0, number);
        }

        /** Returns a copy. */
        synchronized Sums copy() {
            Sums copy = new Sums();
            copy.sendsPosted = sendsPosted;
            copy.sendsCompleted = sendsCompleted;
            copy.receivesPosted = receivesPosted;
            copy.receivesCompleted = receivesCompleted;
            copy.flushed = flushed;
            copy.octetsSent = octetsSent;
            copy.octetsReceived = octetsReceived;
            copy.writes = writes;
            copy.reads = reads;
            copy.sendsDirect = sendsDirect;
            copy.polls = polls;
            copy.emptyPolls = emptyPolls;
            return copy;
        }
    }

    /** Returns all as of now, with {@code open} queue pairs and the completion queues {@code polled}. */
    DeviceStatistics statistics(
            String provider, String device, Iterable<QueuePairStatistics> open, Iterable<PollCounts> polled) {
        Sums sums = closed.copy();
        polled.forEach(sums::add);
        int count = 0;
        int connected = 0;
        int shared = 0;
        for (QueuePairStatistics each : open) {
            sums.add(each);
            count++;
            if (each.state().equals("RTS")) {
                connected++;
                shared += each.carrier().equals(Carrier.SHARED_MEMORY.name()) ? 1 : 0;
            }
        }
        return new DeviceStatistics(
                provider,
                device,
                count,
                connected,
                shared,
                made.sum(),
                notMade.sum(),
                retries.sum(),
                failures.sum(),
                terminatesSent.sum(),
                terminatesReceived.sum(),
                stalls.sum(),
                overruns.sum(),
                asyncEvents.sum(),
                registrations.sum(),
                registeredBytes.sum(),
                slowPasses.sum(),
                sums.sendsPosted,
                sums.sendsCompleted,
                sums.receivesPosted,
                sums.receivesCompleted,
                sums.flushed,
                sums.octetsSent,
                sums.octetsReceived,
                sums.writes,
                sums.reads,
                sums.sendsDirect,
                sums.polls,
                sums.emptyPolls);
    }
}
