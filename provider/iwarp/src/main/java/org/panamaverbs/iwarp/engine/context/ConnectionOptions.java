package org.panamaverbs.iwarp.engine.context;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.support.Known;

/**
 * The options of one connection, {@link ConnectionConfig#options()}; {@link org.panamaverbs.iwarp.IwarpProvider}
 * describes them. What a connection does not say, the options of its context say.
 *
 * @param draftSwap whether Swap is AOpCode 1, as draft-ietf-storm-rdmap-ext-01 has it
 * @param sharedMemory whether memory is shared with a peer on this host, and where peers of other namespaces are met;
 *     of connections that are accepted the context says it, since the peer offers it before there is a request
 */
public record ConnectionOptions(boolean draftSwap, SharedMemoryOptions sharedMemory) {
    /** The names of the options of shared memory, which are of no use where a connection is accepted. */
    public static final List<String> OFFERED = List.of(IwarpOptions.SHM, IwarpOptions.SHM_DIRECTORY);

    private static final List<String> NAMES =
            List.of(IwarpOptions.DRAFT_SWAP, IwarpOptions.SHM, IwarpOptions.SHM_DIRECTORY);

    /**
     * Reads the options of {@code config}.
     *
     * @throws IllegalArgumentException for an unknown option or a value it cannot have, naming what there is
     */
    public static ConnectionOptions parse(ConnectionConfig config, IwarpOptions defaults) {
        boolean draftSwap = defaults.wire().draftSwap();
        SharedMemoryOptions.Mode mode = defaults.sharedMemory().mode();
        @Nullable Path directory = defaults.sharedMemory().directory();
        Known.options("iwarp", NAMES, config);
        for (Map.Entry<String, String> option : config.options().entrySet()) {
            String name = option.getKey();
            String value = IwarpOptions.normal(name, option.getValue());
            switch (name) {
                case IwarpOptions.DRAFT_SWAP -> draftSwap = IwarpOptions.flag(Map.of(name, value), name);
                case IwarpOptions.SHM -> mode = IwarpOptions.sharedMemoryMode(Map.of(name, value));
                case IwarpOptions.SHM_DIRECTORY -> directory = IwarpOptions.directory(Map.of(name, value));
                default -> throw new AssertionError(name);
            }
        }
        return new ConnectionOptions(
                draftSwap, defaults.sharedMemory().with(mode).with(directory));
    }
}
