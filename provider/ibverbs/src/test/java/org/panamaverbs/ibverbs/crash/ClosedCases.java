package org.panamaverbs.ibverbs.crash;

import static org.panamaverbs.ibverbs.crash.Expect.refused;
import static org.panamaverbs.ibverbs.crash.Expect.soon;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** Closing twice, and using what is closed: {@link IllegalStateException}, whatever is tried. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class ClosedCases {
    private ClosedCases() {}

    static List<CrashCase> all() {
        return List.of(
                new CrashCase("closed-queue-pair", ClosedCases::queuePair),
                new CrashCase("closed-completion-queue", ClosedCases::completionQueue),
                new CrashCase("closed-channel", ClosedCases::channel),
                new CrashCase("closed-domain", ClosedCases::domain),
                new CrashCase("closed-buffer", ClosedCases::buffer),
                new CrashCase("closed-device", ClosedCases::device),
                new CrashCase("closed-listener", ClosedCases::listener),
                new CrashCase("closed-request", ClosedCases::request),
                new CrashCase("closed-connection", ClosedCases::connection),
                new CrashCase("closed-shared-receive-queue", ClosedCases::sharedReceiveQueue),
                new CrashCase("closed-memory-window", ClosedCases::memoryWindow),
                new CrashCase("closed-by-eight-threads-at-once", ClosedCases::byEightThreadsAtOnce));
    }

    private static String queuePair(Stage stage) throws Exception {
        Pair pair = stage.pair();
        QueuePair closed = pair.qpA();
        RegisteredBuffer buffer = pair.a().buffer();
        RemoteBuffer remote = pair.b().buffer().remote();
        closed.close();
        closed.close();
        refused("send", () -> closed.send(1, buffer, 0, 8, SendFlag.SIGNALED));
        refused("write", () -> closed.write(1, buffer, 0, 8, remote, 0, SendFlag.SIGNALED));
        refused("read", () -> closed.read(1, buffer, 0, 8, remote, 0, SendFlag.SIGNALED));
        refused("recv", () -> closed.recv(1, buffer, 0, 8));
        if (pair.a().verbs().capabilities().has(Feature.LOCAL_INVALIDATE)) {
            refused("local invalidate", () -> closed.localInvalidate(1, 1, SendFlag.SIGNALED));
        }
        refused("inline", () -> closed.sendInline(1, MemorySegment.ofArray(new byte[8]), 0, 8, SendFlag.SIGNALED));
        refused("batch", () -> {
            closed.batch().send(1, buffer, 0, 8, SendFlag.SIGNALED);
            closed.batch().submit();
        });
        refused("modify", () -> closed.modify(QueuePairAttributes.to(QueuePairState.ERROR)));
        String said = refused("query", closed::query, "queue pair");
        Expect.either("state", closed::state);
        refused(
                "connect",
                () -> stage.add(pair.a()
                        .verbs()
                        .connect(
                                stage.anyPort(),
                                closed,
                                Stage.connection(pair.a().verbs()),
                                soon())));
        return said;
    }

    private static String completionQueue(Stage stage) {
        Side side = stage.side();
        CompletionQueue closed = stage.add(side.verbs().completionQueue(16));
        closed.close();
        closed.close();
        String said = refused("poll", () -> closed.poll(WorkCompletions.ofCapacity(1)), "completion queue");
        refused("arm", () -> closed.arm(false));
        Expect.either("resize", () -> closed.resize(32));
        Expect.either("moderate", () -> closed.moderate(1, 1));
        refused("queue pair of it", () -> stage.add(side.domain().queuePair(side.config(closed))));
        return said;
    }

    private static String channel(Stage stage) {
        Verbs verbs = stage.verbs();
        CompletionChannel closed = stage.add(verbs.completionChannel());
        closed.close();
        closed.close();
        String said = refused("await", () -> closed.await(soon()), "channel");
        Expect.either("file descriptor", closed::fileDescriptor);
        refused(
                "completion queue of it",
                () -> stage.add(
                        verbs.completionQueue(CompletionQueueConfig.of(16).withChannel(closed))));
        return said;
    }

    private static String domain(Stage stage) {
        Side side = stage.side();
        side.buffer().close();
        side.domain().close();
        side.domain().close();
        String said = refused("allocate", () -> stage.add(side.domain().allocate(64, Access.LOCAL_WRITE)), "domain");
        refused("queue pair", () -> stage.add(side.domain().queuePair(side.config())));
        if (side.verbs().capabilities().has(Feature.SHARED_RECEIVE_QUEUE)) {
            refused(
                    "shared receive queue",
                    () -> stage.add(side.domain()
                            .sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1))));
        }
        return said;
    }

    private static String buffer(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer closed = stage.buffer(pair.a().verbs(), pair.a().domain(), 4096);
        MemorySegment segment = closed.segment();
        closed.close();
        closed.close();
        String said = refused("send", () -> pair.qpA().send(1, closed, 0, 8, SendFlag.SIGNALED), "buffer");
        refused("recv", () -> pair.qpA().recv(1, closed, 0, 8));
        refused("remote", closed::remote);
        refused("access to the memory", () -> segment.fill((byte) 1));
        pair.works();
        return said;
    }

    private static String device(Stage stage) {
        Verbs closed = stage.verbs();
        closed.close();
        closed.close();
        String said = refused("domain", () -> stage.add(closed.protectionDomain()));
        refused("completion queue", () -> stage.add(closed.completionQueue(16)));
        refused("channel", () -> stage.add(closed.completionChannel()));
        refused("listen", () -> stage.add(closed.listen(stage.anyPort())));
        refused("event", () -> closed.asyncEvent(Deadline.now()));
        Expect.either("device info", closed::device);
        Expect.either("capabilities", closed::capabilities);
        return said;
    }

    private static String listener(Stage stage) {
        Listener closed = stage.add(stage.verbs().listen(stage.anyPort()));
        closed.close();
        closed.close();
        Expect.either("address", closed::localAddress);
        return refused("accept", () -> stage.add(closed.accept(soon())), "listener");
    }

    private static String request(Stage stage) {
        Side server = stage.side();
        Side client = stage.side();
        Listener listener = stage.add(server.verbs().listen(stage.anyPort()));
        OtherThread connecting = OrderCases.connecting(client, listener);
        ConnectionRequest closed = stage.add(listener.accept(soon()));
        closed.close();
        closed.close();
        String said = refused(
                "accept", () -> stage.add(closed.accept(server.config(), Stage.connection(server.verbs()), soon())));
        refused("reject", () -> closed.reject(new byte[0]));
        return said + "; " + connecting.ended();
    }

    private static String connection(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Connection closed = pair.connectionA();
        closed.close();
        closed.close();
        Expect.that(!closed.isConnected(), "still connected");
        String said = Expect.either("disconnect", () -> closed.disconnect(soon()));
        Expect.either("await disconnect", () -> closed.awaitDisconnect(soon()));
        Expect.either("address", closed::remoteAddress);
        Expect.either("post", () -> closed.queuePair().send(1, pair.a().buffer(), 0, 8, SendFlag.SIGNALED));
        Expect.that(pair.connectionB().awaitDisconnect(soon()), "the peer is still connected");
        return said;
    }

    private static String sharedReceiveQueue(Stage stage) {
        Side side = stage.side();
        Stage.requires(side.verbs(), Feature.SHARED_RECEIVE_QUEUE);
        SharedReceiveQueue closed = stage.add(
                side.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1)));
        closed.close();
        closed.close();
        String said = refused("recv", () -> closed.recv(1, side.buffer(), 0, 8), "shared receive queue");
        refused("limit", () -> closed.armLimit(1));
        refused(
                "queue pair of it",
                () -> stage.add(side.domain().queuePair(side.config().withSrq(closed))));
        return said;
    }

    private static String memoryWindow(Stage stage) throws Exception {
        Pair pair = stage.pair();
        MemoryWindow closed = stage.add(
                pair.a().domain().memoryWindow(OrderCases.windowType(pair.a().verbs())));
        closed.close();
        closed.close();
        RegisteredBuffer buffer = pair.a().buffer();
        return refused("bind", () -> pair.qpA().bind(1, closed, buffer, 0, 64, SendFlag.SIGNALED, Access.REMOTE_READ));
    }

    /** Each object is closed by eight threads at once, in the right order. */
    private static String byEightThreadsAtOnce(Stage stage) throws Exception {
        Pair pair = stage.pair();
        for (int i = 0; i < 32; i++) {
            Expect.that(pair.qpB().recv(i, pair.b().buffer(), 0, 8) >= 0, "a receive was refused");
        }
        for (int i = 0; i < 32; i++) {
            pair.qpA()
                    .post(WorkRequest.of(SendOpcode.SEND)
                            .wrId(i)
                            .local(
                                    pair.a().buffer().iova(),
                                    8,
                                    pair.a().buffer().lkey())
                            .flags(SendFlag.SIGNALED));
        }
        List<AutoCloseable> inOrder = new ArrayList<>();
        for (Connection each : List.of(pair.connectionA(), pair.connectionB())) {
            inOrder.add(each);
            inOrder.add(each.queuePair());
        }
        for (Side each : List.of(pair.a(), pair.b())) {
            inOrder.addAll(List.of(each.buffer(), each.queue(), each.domain(), each.verbs()));
        }
        for (AutoCloseable each : inOrder) {
            closeByEight(each);
        }
        return inOrder.size() + " objects closed by 8 threads each";
    }

    private static void closeByEight(AutoCloseable object) {
        List<OtherThread> closers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            closers.add(OtherThread.atOnce("close " + object, object::close));
        }
        for (OtherThread closer : closers) {
            String end = closer.ended();
            Expect.that(end.endsWith(": done"), end);
        }
    }
}
