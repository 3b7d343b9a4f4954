package org.panamaverbs.iwarp.engine.context;

import java.util.Locale;
import java.util.Map;
import org.panamaverbs.api.ConnectionConfig;

/**
 * The options of one connection, {@link ConnectionConfig#options()}; {@link org.panamaverbs.iwarp.IwarpProvider}
 * describes them. What a connection does not say, the options of its context say.
 *
 * @param draftSwap whether Swap is AOpCode 1, as draft-ietf-storm-rdmap-ext-01 has it
 */
public record ConnectionOptions(boolean draftSwap) {
    /**
     * Reads them.
     *
     * @throws IllegalArgumentException for an unknown option or a value it cannot have, naming what there is
     */
    public static ConnectionOptions parse(ConnectionConfig config, IwarpOptions defaults) {
        boolean draftSwap = defaults.draftSwap();
        for (Map.Entry<String, String> option : config.options().entrySet()) {
            String name = option.getKey();
            if (!name.equals(IwarpOptions.DRAFT_SWAP)) {
                throw new IllegalArgumentException(
                        "provider iwarp has no option " + name + " of connections; it has " + IwarpOptions.DRAFT_SWAP);
            }
            String value = option.getValue().strip().toLowerCase(Locale.ROOT);
            draftSwap = IwarpOptions.flag(Map.of(name, value), name);
        }
        return new ConnectionOptions(draftSwap);
    }
}
