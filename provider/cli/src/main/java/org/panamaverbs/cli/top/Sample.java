package org.panamaverbs.cli.top;

import java.time.Duration;
import java.time.Instant;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair or a device as of one event, and as of the one before.
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

    /** Returns a number, -1 if the provider does not know it. */
    long number(String field) {
        return event.getLong(field);
    }

    /** Returns how much {@code field} grew in a second between the two, NaN if that is not known. */
    double perSecond(String field) {
        RecordedEvent first = before;
        if (first == null || first.getLong(field) < 0 || number(field) < 0) {
            return Double.NaN;
        }
        double seconds = Duration.between(first.getStartTime(), time()).toNanos() / 1e9;
        return seconds <= 0 ? Double.NaN : (number(field) - first.getLong(field)) / seconds;
    }

    /** Returns how many sends went with a call of the transport between the two, NaN if that is not known. */
    double sendsPerWrite() {
        double writes = perSecond("writes");
        return writes > 0 ? perSecond("sendsPosted") / writes : Double.NaN;
    }
}
