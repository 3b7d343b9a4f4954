package org.panamaverbs.ibverbs.stub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.testkit.faults.FaultScenario;
import org.panamaverbs.testkit.faults.Recovery;
import org.panamaverbs.testkit.process.ProcessorTime;

/**
 * A life of everything that the provider makes, over and over in a context that lives on, beside a connection that must
 * not notice. Made by name, by who loads the provider's classes for faults.
 */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
public final class FaultyStubLives implements FaultScenario {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174);
    private static final Access[] ALL = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND
    };
    private static final int DISCONNECTED = 10; // enum rdma_cm_event_type
    private static final long SHORT_SECONDS = 1;
    private static final long LONG_SECONDS = 20;

    private final StubVerbs verbs;
    private final Listener listener;
    private final CompletionQueue queue;
    private final RegisteredBuffer buffer;
    private final Connection connection;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(8);
    private final String before;
    // A connection whose peer has asked to disconnect, which it must hear of whatever fails.
    private @Nullable Connection ending;
    // A life with a fault may wait in vain, the one after it may not: that has all the time a slow machine needs.
    private long patience = LONG_SECONDS;

    public FaultyStubLives() throws Exception {
        Stub.oblige(true);
        verbs = context();
        listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults());
        queue = verbs.queue(64);
        buffer = verbs.domain().allocate(4096, ALL);
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        connection = verbs.connections().connect(PEER, queuePair, false, ConnectionConfig.defaults(), soon());
        int objects = Stub.objects();
        int ids = Stub.ids();
        turn();
        close(new Recovery());
        // Threads of the connection manager destroy what nobody waits for, a little later.
        Deadline deadline = soon();
        while (Stub.objects() > objects || Stub.ids() > ids) {
            require(!deadline.passed(), "the end of what was closed");
            Thread.yield();
        }
        before = counts();
    }

    private static StubVerbs context() {
        return new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_2, Feature.SHARED_RECEIVE_QUEUE, Feature.CQ_RESIZE));
    }

    private Deadline briefly() {
        return Deadline.in(patience, TimeUnit.SECONDS);
    }

    private static Deadline soon() {
        return Deadline.in(LONG_SECONDS, TimeUnit.SECONDS);
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.push(resource);
        return resource;
    }

    // ---- the life -------------------------------------------------------------------------------------------------

    @Override
    public void run() throws Exception {
        patience = SHORT_SECONDS;
        try {
            IbvContext other = opened(another());
            Stub.asyncEvents(1);
            require(other.asyncEvent(briefly()).isPresent(), "an asynchronous event");
            other.close();
            turn();
        } finally {
            patience = LONG_SECONDS;
        }
    }

    /** Opens another context, as {@code OpenedDevice} does it. */
    private static IbvContext another() {
        return Creation.of(
                () -> StubVerbs.config(Quirks.NONE, EnumSet.noneOf(Feature.class)),
                IbvContext::open,
                config -> Undo.CLOSE_DEVICE.accept(config.context()));
    }

    private void turn() throws Exception {
        ProtectionDomain domain = opened(IbvProtectionDomain.create(verbs.context()));
        CompletionChannel channel = opened(IbvCompletionChannel.create(verbs.context()));
        CompletionQueue its = opened(CompletionQueueMaker.make(
                verbs.context(), CompletionQueueConfig.of(64).withChannel(channel)));
        its.resize(100);
        SharedReceiveQueue shared = opened(domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(16)));
        Arena arena = Arena.ofShared();
        opened(arena);
        RegisteredBuffer local = opened(domain.allocate(1 << 16, ALL));
        RegisteredBuffer foreign = opened(domain.register(arena.allocate(4096), Access.LOCAL_WRITE));
        MemoryWindow window = opened(domain.memoryWindow(MemoryWindow.Type.TYPE_2));
        shared.recv(1, local, 0, 100);
        ReceiveList list = ReceiveList.ofCapacity(2).add(2, local, 0, 100).add(3, local, 0, 100);
        require(shared.recv(list) == 2, "receives that are posted");
        connects(QueuePairConfig.of(domain, its), channel, local, window);
        isLeft(QueuePairConfig.of(domain, its));
        accepts(QueuePairConfig.of(domain, its).withSrq(shared), local);
        foreign.close();
        while (!open.isEmpty()) {
            open.peek().close();
            open.pop();
        }
    }

    private void connects(
            QueuePairConfig config, CompletionChannel channel, RegisteredBuffer local, MemoryWindow window) {
        QueuePair queuePair = opened(config.domain().queuePair(config));
        accepted(queuePair.recv(1, local, 0, 100));
        ReceiveList list = ReceiveList.ofCapacity(1).add(1, local, 0, 100);
        require(queuePair.recv(list) == 1, "a receive that is posted");
        Connection made = opened(verbs.connections()
                .connect(PEER, (IbvQueuePair) queuePair, false, ConnectionConfig.defaults(), briefly()));
        config.sendCq().arm(false);
        accepted(queuePair.bind(2, window, local, 0, 4096, SIGNALED, Access.REMOTE_READ));
        accepted(queuePair.send(3, local, 0, 100, SIGNALED));
        accepted(queuePair.write(4, local, 0, 1000, local.remote(), 0, SIGNALED));
        accepted(queuePair.read(5, local, 0, 1000, local.remote(), 0, SIGNALED));
        Batch batch = queuePair.batch();
        accepted(batch.send(6, local, 0, 100, SIGNALED));
        accepted(batch.write(7, local, 0, 100, local.remote(), 0, SIGNALED));
        require(batch.submit() == 2, "a batch that is posted");
        require(channel.await(briefly()).isPresent(), "an event of the queue");
        await(config.sendCq(), 6);
        require(made.isConnected(), "a connection");
        made.disconnect(briefly());
        made.awaitDisconnect(briefly());
    }

    private void isLeft(QueuePairConfig config) {
        QueuePair queuePair = opened(config.domain().queuePair(config));
        Connection made = opened(verbs.connections()
                .connect(PEER, (IbvQueuePair) queuePair, false, ConnectionConfig.defaults(), briefly()));
        Stub.event(made.localAddress().getPort(), DISCONNECTED);
        ending = made; // from now on it is to hear of its end: what fails before may fail here
        require(made.awaitDisconnect(briefly()), "the end of a connection");
    }

    private void accepts(QueuePairConfig config, RegisteredBuffer local) {
        Connection made = opened(request().accept(config, ConnectionConfig.defaults(), briefly()));
        accepted(made.queuePair().send(1, local, 0, 100, SIGNALED));
        await(config.sendCq(), 1);
        request().reject(new byte[] {1});
    }

    private ConnectionRequest request() {
        Stub.request(listener.localAddress().getPort());
        return opened(listener.accept(briefly()));
    }

    private static void require(boolean there, String what) {
        if (!there) {
            throw new IllegalStateException("expected " + what);
        }
    }

    private static void accepted(int status) {
        if (status != PostStatus.ACCEPTED) {
            throw new IllegalStateException("refused: " + PostStatus.text(status));
        }
    }

    private void await(CompletionQueue from, int wanted) {
        Deadline deadline = briefly();
        for (int got = 0; got < wanted; ) {
            got += from.poll(completions);
            require(!deadline.passed(), "completions");
        }
    }

    // ---- after it -------------------------------------------------------------------------------------------------

    @Override
    public void recover() {
        Recovery recovery = new Recovery();
        recovery.step("the end of a connection", this::end);
        close(recovery);
        recovery.step("the other connection", this::ping);
        recovery.step("a new life", this::turn);
        close(recovery);
        recovery.step("what is left", () -> {
            Deadline deadline = briefly();
            while (!counts().equals(before) && !deadline.passed()) {
                Thread.yield();
            }
            assertThat(counts()).isEqualTo(before);
        });
        recovery.step(
                "the threads",
                () -> assertThat(ProcessorTime.awaitRest("verbs-", soon()))
                        .as("they rest")
                        .isTrue());
        recovery.check();
    }

    private void end() {
        Connection its = ending;
        ending = null;
        if (its instanceof ManagedResource resource && resource.isOpen()) {
            assertThat(its.awaitDisconnect(soon())).as("it heard of its end").isTrue();
            assertThat(its.isConnected()).isFalse();
        }
    }

    private void close(Recovery recovery) {
        // A request that came too late for who waited for it.
        Deadline deadline = Deadline.now();
        recovery.step("the listener", () -> listener.poll(deadline).ifPresent(ConnectionRequest::close));
        recovery.closeAll(open);
    }

    private void ping() {
        assertThat(connection.isConnected()).isTrue();
        accepted(connection.queuePair().send(1, buffer, 0, 100, SIGNALED));
        await(queue, 1);
        Stub.asyncEvents(1);
    }

    private static String counts() {
        long events = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("verbs-async"))
                .count();
        return Stub.objects() + " objects, " + Stub.ids() + " ids, " + descriptors() + " descriptors, " + events
                + " threads for events";
    }

    /** Counts open descriptors, without the archives that a class loader opens when it first looks into them. */
    private static int descriptors() {
        String[] names = new File("/proc/self/fd").list();
        int open = 0;
        for (String name : names == null ? new String[0] : names) {
            try {
                if (!Files.readSymbolicLink(Path.of("/proc/self/fd", name))
                        .toString()
                        .endsWith(".jar")) {
                    open++;
                }
            } catch (IOException e) {
                // Closed meanwhile, as that of the listing is.
            }
        }
        return open;
    }

    @Override
    public void close() {
        connection.close();
        buffer.close();
        listener.close();
        verbs.close();
        Stub.oblige(false);
    }
}
