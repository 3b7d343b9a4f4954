package org.panamaverbs.ibverbs.crash;

import static org.panamaverbs.ibverbs.crash.Expect.refused;
import static org.panamaverbs.ibverbs.crash.Expect.soon;

import java.util.List;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/** Closing a parent before its children: refused by name, and everything still works. */
final class OrderCases {
    private OrderCases() {}

    static List<CrashCase> all() {
        return List.of(
                new CrashCase("domain-before-buffer", OrderCases::domainBeforeBuffer),
                new CrashCase("domain-before-queue-pair", OrderCases::domainBeforeQueuePair),
                new CrashCase("domain-before-shared-receive-queue", OrderCases::domainBeforeSharedReceiveQueue),
                new CrashCase("domain-before-memory-window", OrderCases::domainBeforeMemoryWindow),
                new CrashCase("send-queue-before-queue-pair", OrderCases::completionQueuesBeforeQueuePair),
                new CrashCase("channel-before-completion-queue", OrderCases::channelBeforeCompletionQueue),
                new CrashCase("shared-receive-queue-before-queue-pair", OrderCases::sharedBeforeQueuePair),
                new CrashCase("device-before-domain", OrderCases::deviceBeforeDomain),
                new CrashCase("device-before-completion-queue", OrderCases::deviceBeforeCompletionQueue),
                new CrashCase("device-before-channel", OrderCases::deviceBeforeChannel),
                new CrashCase("device-before-listener", OrderCases::deviceBeforeListener),
                new CrashCase("device-with-everything-open", OrderCases::deviceWithEverythingOpen),
                new CrashCase("slab-before-buffer", OrderCases::slabBeforeBuffer),
                new CrashCase("buffer-before-bound-window", OrderCases::bufferBeforeBoundWindow),
                new CrashCase("listener-before-its-requests", OrderCases::listenerBeforeItsRequests),
                new CrashCase("queue-pair-before-its-connection", OrderCases::queuePairBeforeItsConnection));
    }

    private static String domainBeforeBuffer(Stage stage) {
        Side side = stage.side();
        String said = refused("domain.close", side.domain()::close, "buffer");
        Expect.that(side.buffer().isOpen(), "the buffer was closed with the refusal");
        side.buffer().close();
        side.domain().close();
        return said;
    }

    private static String domainBeforeQueuePair(Stage stage) throws Exception {
        Pair pair = stage.pair();
        String said = refused("domain.close", pair.a().domain()::close, "queue pair");
        pair.works();
        return said;
    }

    private static String domainBeforeSharedReceiveQueue(Stage stage) {
        Verbs verbs = stage.verbs();
        Stage.requires(verbs, Feature.SHARED_RECEIVE_QUEUE);
        ProtectionDomain domain = stage.add(verbs.protectionDomain());
        stage.add(domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1)));
        return refused("domain.close", domain::close, "shared receive queue");
    }

    private static String domainBeforeMemoryWindow(Stage stage) {
        Verbs verbs = stage.verbs();
        ProtectionDomain domain = stage.add(verbs.protectionDomain());
        stage.add(domain.memoryWindow(windowType(verbs)));
        return refused("domain.close", domain::close, "window");
    }

    private static String completionQueuesBeforeQueuePair(Stage stage) throws Exception {
        Side a = stage.side();
        CompletionQueue receives = stage.add(a.verbs().completionQueue(64));
        QueuePair queuePair = stage.add(a.domain().queuePair(a.config().withRecvCq(receives)));
        Side b = stage.side();
        Pair pair = stage.connect(a, queuePair, b, b.queuePair());
        String said = refused("queue.close", a.queue()::close, "queue pair");
        refused("receive queue.close", receives::close, "queue pair");
        pair.works();
        return said;
    }

    private static String channelBeforeCompletionQueue(Stage stage) {
        Verbs verbs = stage.verbs();
        CompletionChannel channel = stage.add(verbs.completionChannel());
        CompletionQueue queue =
                stage.add(verbs.completionQueue(CompletionQueueConfig.of(16).withChannel(channel)));
        String said = refused("channel.close", channel::close, "completion queue");
        queue.arm(false);
        return said;
    }

    private static String sharedBeforeQueuePair(Stage stage) {
        Side side = stage.side();
        Stage.requires(side.verbs(), Feature.SHARED_RECEIVE_QUEUE);
        SharedReceiveQueue shared = stage.add(
                side.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1)));
        stage.add(side.domain().queuePair(side.config().withSrq(shared)));
        String said = refused("shared receive queue.close", shared::close, "queue pair");
        Expect.that(shared.recv(1, side.buffer(), 0, 64) >= 0, "a receive was refused");
        return said;
    }

    private static String deviceBeforeDomain(Stage stage) {
        Verbs verbs = stage.verbs();
        ProtectionDomain domain = stage.add(verbs.protectionDomain());
        String said = refused("device.close", verbs::close, "domain");
        stage.buffer(verbs, domain, 4096);
        return said;
    }

    private static String deviceBeforeCompletionQueue(Stage stage) {
        Verbs verbs = stage.verbs();
        stage.add(verbs.completionQueue(16));
        return refused("device.close", verbs::close, "completion queue");
    }

    private static String deviceBeforeChannel(Stage stage) {
        Verbs verbs = stage.verbs();
        stage.add(verbs.completionChannel());
        return refused("device.close", verbs::close, "channel");
    }

    private static String deviceBeforeListener(Stage stage) {
        Verbs verbs = stage.verbs();
        stage.add(verbs.listen(stage.anyPort()));
        return refused("device.close", verbs::close, "listener");
    }

    private static String deviceWithEverythingOpen(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Verbs verbs = pair.a().verbs();
        stage.add(verbs.listen(stage.anyPort()));
        CompletionChannel channel = stage.add(verbs.completionChannel());
        stage.add(verbs.completionQueue(CompletionQueueConfig.of(16).withChannel(channel)));
        pair.write(16, 4096);
        String said = refused("device.close", verbs::close, "open");
        for (Expect.Completed each : Expect.completions(pair.a().queue(), 16)) {
            Expect.that(each.ok(), "the refusal broke a Write: " + each);
        }
        return said;
    }

    private static String slabBeforeBuffer(Stage stage) {
        Side side = stage.side();
        MemorySlab slab = stage.add(MemorySlab.allocate(4096));
        RegisteredBuffer buffer = stage.add(side.domain().register(slab.segment(), Access.LOCAL_WRITE));
        String said = refused("slab.close", slab::close, "buffer");
        buffer.close();
        slab.close();
        return said;
    }

    private static String bufferBeforeBoundWindow(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Side side = pair.a();
        MemoryWindow window = stage.add(side.domain().memoryWindow(windowType(side.verbs())));
        RegisteredBuffer buffer = stage.buffer(side.verbs(), side.domain(), 4096);
        int status = pair.qpA().bind(1, window, buffer, 0, 4096, SendFlag.SIGNALED, Access.REMOTE_READ);
        Expect.that(status >= 0, "the bind was refused: " + status);
        String bound = Expect.completion(side.queue()).toString();
        String said = Expect.either("buffer.close under a window", buffer::close);
        window.close();
        return bound + "; " + said;
    }

    private static String listenerBeforeItsRequests(Stage stage) {
        Side server = stage.side();
        Side client = stage.side();
        Listener listener = stage.add(server.verbs().listen(stage.anyPort()));
        OtherThread connecting = connecting(client, listener);
        ConnectionRequest request = stage.add(listener.accept(soon()));
        listener.close();
        String said = Expect.either(
                "accept of a closed listener's request",
                () -> stage.add(request.accept(server.config(), Stage.connection(server.verbs()), soon())));
        request.close();
        return said + "; " + connecting.ended();
    }

    private static String queuePairBeforeItsConnection(Stage stage) throws Exception {
        Pair pair = stage.pair();
        pair.qpA().close();
        Expect.that(!pair.connectionA().isConnected(), "still connected without its queue pair");
        String said = Expect.either("disconnect", () -> pair.connectionA().disconnect(soon()));
        Expect.that(pair.connectionB().awaitDisconnect(soon()), "the peer is still connected");
        return said;
    }

    /** Connects {@code client} to {@code listener} on a thread, onto a queue pair that the connection owns. */
    static OtherThread connecting(Side client, Listener listener) {
        return OtherThread.once(
                "connect",
                () -> client.stage()
                        .add(client.verbs()
                                .connect(
                                        listener.localAddress(),
                                        client.config(),
                                        Stage.connection(client.verbs()),
                                        soon())));
    }

    static MemoryWindow.Type windowType(Verbs verbs) {
        if (verbs.capabilities().has(Feature.MEMORY_WINDOW_TYPE_2)) {
            return MemoryWindow.Type.TYPE_2;
        }
        Stage.requires(verbs, Feature.MEMORY_WINDOW_TYPE_1);
        return MemoryWindow.Type.TYPE_1;
    }
}
