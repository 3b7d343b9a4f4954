package org.panamaverbs.ibverbs.completion;

import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.WcField;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.spi.support.Attachments;

/**
 * What the entries of one completion queue hold, and what is known of whose they are.
 *
 * @param invalidatedFlag the bits of {@code wc_flags} of which one says that the peer invalidated a key
 * @param fields what an extended queue was asked for
 * @param lengths whether they have the bytes of messages
 * @param datagrams whose completions say where they came from
 * @param attachments what queue pairs were given for their completions
 */
record WcKind(
        int invalidatedFlag, Set<WcField> fields, boolean lengths, DatagramNumbers datagrams, Attachments attachments) {
    /** The fields of an ordinary completion. */
    private static final Set<WcField> ORDINARY = EnumSet.of(WcField.BYTE_COUNT, WcField.IMMEDIATE, WcField.SOURCE_QP);

    /** Returns the fields to make an extended queue with for which {@code wanted} was asked. */
    static Set<WcField> fields(Set<WcField> wanted) {
        return wanted.isEmpty() ? ORDINARY : wanted;
    }

    static WcKind of(IbvContext context, CompletionQueueConfig config) {
        return new WcKind(
                context.quirks().invalidatedFlag(),
                config.fields(),
                !config.isExtended() || fields(config.fields()).contains(WcField.BYTE_COUNT),
                new DatagramNumbers(),
                new Attachments());
    }
}
