package org.panamaverbs.ibverbs.completion;

import java.util.Set;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.support.Attachments;
import org.panamaverbs.ibverbs.context.IbvContext;

/**
 * What the entries of one completion queue hold, and what is known of whose they are.
 *
 * @param invalidatedFlag the bits of {@code wc_flags} of which one says that the peer invalidated a key
 * @param fields what an extended queue was made with
 * @param datagrams whose completions say where they came from
 * @param attachments what queue pairs were given for their completions
 */
record WcKind(int invalidatedFlag, Set<WcField> fields, DatagramNumbers datagrams, Attachments attachments) {
    static WcKind of(IbvContext context, CompletionQueueConfig config) {
        return new WcKind(
                context.quirks().invalidatedFlag(), config.fields(), new DatagramNumbers(), new Attachments());
    }
}
