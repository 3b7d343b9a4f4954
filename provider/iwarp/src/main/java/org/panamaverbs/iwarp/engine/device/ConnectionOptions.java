package org.panamaverbs.iwarp.engine.device;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.spi.support.Known;

/**
 * The options of one connection, {@link ConnectionConfig#options()}; {@link org.panamaverbs.iwarp.IwarpProvider}
 * describes them. What a connection does not say, the options of its context say.
 *
 * @param draftSwap whether Swap is AOpCode 1, as draft-ietf-storm-rdmap-ext-01 has it
 * @param sharedMemory whether memory is shared with a peer on this host, and where peers of other namespaces are met;
 *     of connections that are accepted the context says it, since the peer offers it before there is a request
 */
public record ConnectionOptions(boolean draftSwap, SharedMemoryOptions sharedMemory) {
    /** The options of shared memory, which are of no use where a connection is accepted. */
    public static final List<IwarpOption<?>> OFFERED = List.of(IwarpOption.SHM, IwarpOption.SHM_DIRECTORY);

    private static final List<IwarpOption<?>> ALL =
            List.of(IwarpOption.DRAFT_SWAP, IwarpOption.SHM, IwarpOption.SHM_DIRECTORY);

    /**
     * Reads the options of {@code config}.
     *
     * @throws IllegalArgumentException for an unknown option or a value it cannot have, naming what there is
     */
    public static ConnectionOptions parse(ConnectionConfig config, IwarpOptions defaults) {
        IwarpOptions all = config.options().isEmpty() ? defaults : defaults.with(given(config));
        return new ConnectionOptions(all.get(IwarpOption.DRAFT_SWAP), all.sharedMemory());
    }

    private static Map<IwarpOption<?>, String> given(ConnectionConfig config) {
        Known.options("iwarp", ALL.stream().map(IwarpOption::key).toList(), config);
        Map<IwarpOption<?>, String> given = new HashMap<>();
        for (IwarpOption<?> each : ALL) {
            String text = config.options().get(each.key());
            if (text != null) {
                given.put(each, text);
            }
        }
        return given;
    }
}
