package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.Arena;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.WcField;

/**
 * Makes the arrays of one completion queue.
 *
 * @param invalidatedFlag the bits of {@code wc_flags} of which one says that the peer invalidated a key
 * @param timestamp whether entries have a timestamp
 * @param wallclock whether entries have a time of day
 * @param datagrams whose completions say where they came from
 */
record WcArrays(int invalidatedFlag, boolean timestamp, boolean wallclock, DatagramNumbers datagrams) {
    private static final int POLLED_AT_ONCE = 256;

    static WcArrays of(IbvContext context, CompletionQueueConfig config) {
        return new WcArrays(
                context.quirks().invalidatedFlag(),
                config.fields().contains(WcField.TIMESTAMP),
                config.fields().contains(WcField.WALLCLOCK),
                new DatagramNumbers());
    }

    /** Returns one to poll a queue of {@code capacity} into. */
    WcArray polled(int capacity) {
        return array(Math.min(capacity + 1, POLLED_AT_ONCE));
    }

    /** Returns one of {@code entries} entries. */
    WcArray array(int entries) {
        return new WcArray(Arena.ofAuto(), entries, this);
    }
}
