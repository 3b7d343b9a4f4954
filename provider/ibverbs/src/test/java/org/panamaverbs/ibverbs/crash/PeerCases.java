package org.panamaverbs.ibverbs.crash;

import static org.panamaverbs.ibverbs.crash.Expect.either;
import static org.panamaverbs.ibverbs.crash.Expect.soon;

import java.net.InetSocketAddress;
import java.util.List;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.RemoteBuffer;

/** The peer's process is killed. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class PeerCases {
    private PeerCases() {}

    static List<CrashCase> all() {
        return List.of(
                new CrashCase("peer-killed-while-connected", PeerCases::whileConnected),
                new CrashCase("peer-killed-while-written-to", PeerCases::whileWrittenTo),
                new CrashCase("peer-killed-while-writing", PeerCases::whileWriting),
                new CrashCase("peer-killed-while-asking", PeerCases::whileAsking),
                new CrashCase("peer-killed-while-asked", PeerCases::whileAsked));
    }

    private static String whileConnected(Stage stage) throws Exception {
        Side side = stage.side();
        PeerProcess peer = PeerProcess.start(stage, "serve", 0);
        Connection connection = connect(stage, side, peer);
        Expect.that(connection.queuePair().recv(1, side.buffer(), 0, 64) >= 0, "a receive was refused");
        peer.kill();
        Expect.that(connection.awaitDisconnect(soon()), "the death of the peer was not seen");
        return "receive " + Expect.failure(side.queue());
    }

    private static String whileWrittenTo(Stage stage) throws Exception {
        Side side = stage.side();
        PeerProcess peer = PeerProcess.start(stage, "serve", 0);
        Connection connection = connect(stage, side, peer);
        RemoteBuffer remote = RemoteBuffer.decode(connection.privateData());
        for (int i = 0; i < 32; i++) {
            connection.queuePair().write(i, side.buffer(), 0, Side.BUFFER_BYTES, remote, 0, SendFlag.SIGNALED);
        }
        Expect.completion(side.queue());
        peer.kill();
        long failed = Expect.completions(side.queue(), 31).stream()
                .filter(each -> !each.ok())
                .count();
        Expect.that(connection.awaitDisconnect(soon()), "the death of the peer was not seen");
        return failed + " of 31 Writes failed";
    }

    private static String whileWriting(Stage stage) throws Exception {
        Side side = stage.side();
        Listener listener = stage.add(side.verbs().listen(stage.anyPort()));
        PeerProcess peer =
                PeerProcess.start(stage, "write", listener.localAddress().getPort());
        peer.awaits("asking");
        Connection connection = accept(stage, side, listener);
        peer.awaits("writing");
        peer.kill();
        Expect.that(connection.awaitDisconnect(soon()), "the death of the peer was not seen");
        side.buffer().close();
        return "disconnected";
    }

    private static String whileAsking(Stage stage) throws Exception {
        Side side = stage.side();
        Listener listener = stage.add(side.verbs().listen(stage.anyPort()));
        PeerProcess peer =
                PeerProcess.start(stage, "ask", listener.localAddress().getPort());
        peer.awaits("asking");
        ConnectionRequest request = stage.add(listener.accept(soon()));
        peer.kill();
        Connection[] accepted = new Connection[1];
        String said = either(
                "accept",
                () -> accepted[0] = stage.add(request.accept(side.config(), Stage.connection(side.verbs()), soon())));
        if (accepted[0] != null) {
            Expect.that(accepted[0].awaitDisconnect(soon()), "the death of the peer was not seen");
        }
        return said;
    }

    private static String whileAsked(Stage stage) throws Exception {
        Side side = stage.side();
        PeerProcess peer = PeerProcess.start(stage, "hold", 0);
        InetSocketAddress address = address(stage, peer);
        OtherThread connecting = OtherThread.once(
                "connect",
                () -> stage.add(side.verbs().connect(address, side.config(), Stage.connection(side.verbs()), soon())));
        peer.awaits("request");
        peer.kill();
        String end = connecting.ended();
        Expect.that(!end.endsWith(": done"), "connected to the dead");
        return end;
    }

    private static Connection connect(Stage stage, Side side, PeerProcess peer) throws Exception {
        return stage.add(
                side.verbs().connect(address(stage, peer), side.config(), Stage.connection(side.verbs()), soon()));
    }

    private static Connection accept(Stage stage, Side side, Listener listener) {
        try (ConnectionRequest request = listener.accept(soon())) {
            return stage.add(request.accept(
                    side.config(),
                    Stage.connection(side.verbs())
                            .withPrivateData(side.buffer().remote().encode()),
                    soon()));
        }
    }

    private static InetSocketAddress address(Stage stage, PeerProcess peer) throws Exception {
        return new InetSocketAddress(stage.address(), Integer.parseInt(peer.awaits("port")));
    }
}
