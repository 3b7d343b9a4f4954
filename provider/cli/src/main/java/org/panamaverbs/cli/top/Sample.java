package org.panamaverbs.cli.top;

import java.time.Duration;
import java.time.Instant;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.CounterValues;

/**
 * A queue pair, a device or a channel as of one event, and as of the one before.
 *
 * @param event what was sampled last
 * @param before what was sampled before that, null if this is the first
 */
record Sample(RecordedEvent event, @Nullable RecordedEvent before) {
    Instant time() {
        return event.getStartTime();
    }

    String text(String field) {
        String text = event.getString(field);
        return text == null ? "" : text;
    }

    /** Returns the value of {@code counter}, -1 if the provider does not know it or the event does not have it. */
    long number(Counter counter) {
        return number(counter.field());
    }

    /** Returns the number in {@code field}, -1 if the event does not have it. */
    long number(String field) {
        return number(event, field);
    }

    private static long number(RecordedEvent event, String field) {
        return event.hasField(field) ? event.getLong(field) : CounterValues.UNKNOWN;
    }

    /** Returns how much {@code counter} grew in a second between the two, NaN if that is not known. */
    double perSecond(Counter counter) {
        return perSecond(counter.field());
    }

    /** Returns how much the number in {@code field} grew in a second between the two, NaN if that is not known. */
    double perSecond(String field) {
        RecordedEvent first = before;
        if (first == null || number(first, field) < 0 || number(field) < 0) {
            return Double.NaN;
        }
        double seconds = Duration.between(first.getStartTime(), time()).toNanos() / 1e9;
        return seconds <= 0 ? Double.NaN : (number(field) - number(first, field)) / seconds;
    }

    /** Returns how many sends went with a call of the transport between the two, NaN if that is not known. */
    double sendsPerWrite() {
        double writes = perSecond(Counter.WRITES);
        return writes > 0 ? perSecond(Counter.SENDS_POSTED) / writes : Double.NaN;
    }
}
