package org.panamaverbs.bench.sockets;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.VerbsEnd;

/** A process with one side of what is measured, which does what its input says, see {@link End#obey}. */
public final class SocketSide {
    private SocketSide() {}

    /**
     * Runs one side.
     *
     * @param arguments {@code echo}, {@code stream}, {@code channel}, {@code selector} or {@code verbs}, how many
     *     connections (of a selector; else 1), and the peer's port if this is the side that connects
     */
    public static void main(String[] arguments) throws Exception {
        int connections = Integer.parseInt(arguments[1]);
        int port = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
        try (End end = end(arguments[0], connections, port)) {
            System.gc(); // what the set-up left is not to be seen in the memory that it holds
            End.obey(end);
        }
    }

    /** Connects to {@code port}; listens and accepts if that is 0. */
    private static End end(String kind, int connections, int port) throws Exception {
        return switch (kind) {
            case "echo" -> new NettyEnd(false, port);
            case "stream" -> new NettyEnd(true, port);
            case "channel" -> new ChannelEnd(1, false, port);
            case "selector" -> new ChannelEnd(connections, true, port);
            case "verbs" -> new VerbsEnd(OpenConfig.provider("iwarp"), 0, 1, port);
            default -> throw new IllegalArgumentException("unknown kind " + kind);
        };
    }
}
