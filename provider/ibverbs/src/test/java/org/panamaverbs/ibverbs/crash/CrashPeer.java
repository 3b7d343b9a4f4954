package org.panamaverbs.ibverbs.crash;

import static org.panamaverbs.ibverbs.crash.Expect.soon;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * The other process of a case: {@code CrashPeer serve|hold|write|ask PROVIDER:DEVICE ADDRESS PORT}. Waits to be killed.
 */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class CrashPeer {
    private CrashPeer() {}

    /** Does what the first argument says, see the class. */
    public static void main(String[] arguments) throws Exception {
        Stage stage = new Stage(arguments[1], arguments[2]);
        Side side = stage.side();
        InetSocketAddress port = new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3]));
        switch (arguments[0]) {
            case "serve" -> serve(stage, side);
            case "hold" -> hold(stage, side);
            case "write" -> write(stage, side, port);
            case "ask" -> ask(stage, side, port);
            default -> throw new IllegalArgumentException("no role is named " + arguments[0]);
        }
    }

    /** Accepts one connection, gives its buffer to it, and waits. */
    private static void serve(Stage stage, Side side) {
        Listener listener = listen(stage, side);
        try (ConnectionRequest request = listener.accept(soon())) {
            Connection connection = stage.add(request.accept(
                    side.config(),
                    Stage.connection(side.verbs())
                            .withPrivateData(side.buffer().remote().encode()),
                    soon()));
            System.out.println("connected");
            connection.awaitDisconnect(Deadline.never());
        }
    }

    /** Takes a request and never answers. */
    private static void hold(Stage stage, Side side) {
        ConnectionRequest request = stage.add(listen(stage, side).accept(soon()));
        System.out.println("request " + request.remoteAddress());
        side.verbs().asyncEvent(Deadline.never());
    }

    /** Connects and writes for ever into the buffer that it is given. */
    private static void write(Stage stage, Side side, InetSocketAddress to) {
        System.out.println("asking");
        Connection connection =
                stage.add(side.verbs().connect(to, side.config(), Stage.connection(side.verbs()), soon()));
        RemoteBuffer remote = RemoteBuffer.decode(connection.privateData());
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        long length = Math.min(side.buffer().length(), remote.length());
        for (long i = 0; ; i++) {
            connection.queuePair().write(i, side.buffer(), 0, length, remote, 0, SendFlag.SIGNALED);
            side.queue().poll(completions);
            if (i == 100) {
                System.out.println("writing");
            }
        }
    }

    /** Connects to somebody who does not answer. */
    private static void ask(Stage stage, Side side, InetSocketAddress to) {
        System.out.println("asking");
        stage.add(side.verbs().connect(to, side.config(), Stage.connection(side.verbs()), Deadline.never()));
        side.verbs().asyncEvent(Deadline.never());
    }

    private static Listener listen(Stage stage, Side side) {
        Listener listener = stage.add(side.verbs().listen(stage.anyPort()));
        System.out.println("port " + listener.localAddress().getPort());
        return listener;
    }
}
