package org.panamaverbs.iwarp.engine;

import java.util.Locale;
import java.util.Map;
import org.panamaverbs.api.ConnectionConfig;

/**
 * The options of one connection, {@link ConnectionConfig#options()}; {@link org.panamaverbs.iwarp.IwarpProvider}
 * describes them. What a connection does not say, the options of its context say.
 *
 * @param draftSwap whether Swap is AOpCode 1, as draft-ietf-storm-rdmap-ext-01 has it
 */
record ConnectionOptions(boolean draftSwap) {
    /** The name of {@link #draftSwap}, here and among the context's options. */
    static final String DRAFT_SWAP = "draft.swap";

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException for an unknown option or a value it cannot have, naming what there is
     */
    static ConnectionOptions parse(ConnectionConfig config, ConnectionOptions defaults) {
        boolean draftSwap = defaults.draftSwap;
        for (Map.Entry<String, String> option : config.options().entrySet()) {
            String name = option.getKey();
            if (!name.equals(DRAFT_SWAP)) {
                throw new IllegalArgumentException(
                        "provider iwarp has no option " + name + " of connections; it has " + DRAFT_SWAP);
            }
            String value = option.getValue().strip().toLowerCase(Locale.ROOT);
            draftSwap = IwarpOptions.flag(Map.of(name, value), name);
        }
        return new ConnectionOptions(draftSwap);
    }
}
