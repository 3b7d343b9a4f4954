package org.panamaverbs.bench.sockets;

import org.panamaverbs.bench.loopback.process.End;

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
        try (End end = arguments.length > 2
                ? client(arguments[0], connections, Integer.parseInt(arguments[2]))
                : server(arguments[0], connections)) {
            System.gc(); // what the set-up left is not to be seen in the memory that it holds
            End.obey(end);
        }
    }

    private static End server(String kind, int connections) throws Exception {
        return switch (kind) {
            case "echo" -> new NettyEnd(false);
            case "stream" -> new NettyEnd(true);
            case "channel" -> ChannelEnd.accept(1, false);
            case "selector" -> ChannelEnd.accept(connections, true);
            case "verbs" -> new VerbsEnd();
            default -> throw new IllegalArgumentException("unknown kind " + kind);
        };
    }

    private static End client(String kind, int connections, int port) throws Exception {
        return switch (kind) {
            case "echo" -> new NettyEnd(false, port);
            case "stream" -> new NettyEnd(true, port);
            case "channel" -> ChannelEnd.connect(1, false, port);
            case "selector" -> ChannelEnd.connect(connections, true, port);
            case "verbs" -> new VerbsEnd(port);
            default -> throw new IllegalArgumentException("unknown kind " + kind);
        };
    }
}
