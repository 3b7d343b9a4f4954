package org.panamaverbs.bench.channels;

import java.io.IOException;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.loopback.exchange.End;

/** A process with one side of a {@link Task}, which does what its input says, see {@link End#obey}. */
public final class ChannelSide {
    private static final int WORDS = 7;

    private ChannelSide() {}

    /**
     * Runs one side.
     *
     * @param arguments the words of the task, and the peer's port if this is the side that connects
     */
    public static void main(String[] arguments) throws Exception {
        int port = arguments.length > WORDS ? Integer.parseInt(arguments[WORDS]) : 0;
        try (End end = end(Task.of(arguments), port)) {
            End.obey(end);
        }
    }

    private static End end(Task task, int port) throws IOException {
        OpenConfig provider =
                OpenConfig.provider("iwarp").with("shm", task.shm()).with("progress", "spin");
        return switch (task.by()) {
            case "channel" -> new MessagesEnd(task, provider, port);
            case "hand" -> new HandEnd(task, provider, port);
            case "tcp" -> new TcpEnd(task, port);
            default -> throw new IllegalArgumentException("nobody is called " + task.by());
        };
    }
}
