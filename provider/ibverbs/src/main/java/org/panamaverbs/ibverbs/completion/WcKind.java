package org.panamaverbs.ibverbs.completion;

import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.WcField;
import org.panamaverbs.ibverbs.context.IbvContext;

/**
 * What the entries of one completion queue hold.
 *
 * @param invalidatedFlag the bits of {@code wc_flags} of which one says that the peer invalidated a key
 * @param timestamp whether entries have a timestamp
 * @param wallclock whether entries have a time of day
 * @param lengths whether they have the octets of messages
 * @param datagrams whose completions say where they came from
 */
record WcKind(int invalidatedFlag, boolean timestamp, boolean wallclock, boolean lengths, DatagramNumbers datagrams) {
    /** The fields of an ordinary completion. */
    private static final Set<WcField> ORDINARY = EnumSet.of(WcField.BYTE_COUNT, WcField.IMMEDIATE, WcField.SOURCE_QP);

    /** Returns the fields to make an extended queue with for which {@code wanted} was asked. */
    static Set<WcField> fields(Set<WcField> wanted) {
        return wanted.isEmpty() ? ORDINARY : wanted;
    }

    static WcKind of(IbvContext context, CompletionQueueConfig config) {
        return new WcKind(
                context.quirks().invalidatedFlag(),
                config.fields().contains(WcField.TIMESTAMP),
                config.fields().contains(WcField.WALLCLOCK),
                !config.isExtended() || fields(config.fields()).contains(WcField.BYTE_COUNT),
                new DatagramNumbers());
    }

    /** Tells whether entries have a time of either kind. */
    boolean isStamped() {
        return timestamp || wallclock;
    }
}
