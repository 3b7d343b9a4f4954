package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** What the kernel does not destroy is not closed: it keeps what it needs, and can be closed again. */
class UndestroyedOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final Access[] BINDABLE = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND};

    private static final Set<Feature> NO_FEATURES = EnumSet.noneOf(Feature.class);
    private static final Quirks RESERVING = new Quirks(false, false, false, false, 4096, false, false, 0);

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_2, Feature.SHARED_RECEIVE_QUEUE));
    }

    @Test
    void bufferKeepsItsSlab() {
        MemorySlab slab = MemorySlab.allocate(4096);
        RegisteredBuffer buffer = verbs.domain().register(slab.segment(), Access.LOCAL_WRITE);
        expectClosedAtTheSecondAttempt("ibv_dereg_mr", buffer, slab);
        slab.close();
    }

    @Test
    void bufferKeepsTheMemoryThatItOwns() {
        RegisteredBuffer buffer = verbs.domain().allocate(4096, Access.LOCAL_WRITE);
        expectClosedAtTheSecondAttempt("ibv_dereg_mr", buffer, verbs.domain());
        assertThat(buffer.segment().scope().isAlive()).isFalse();
    }

    @Test
    void windowKeepsItsDomain() {
        MemoryWindow window = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2);
        expectClosedAtTheSecondAttempt("ibv_dealloc_mw", (ManagedResource) window, verbs.domain());
    }

    @Test
    void queuePairKeepsItsCompletionQueue() {
        IbvCompletionQueue queue = verbs.queue(16);
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        expectClosedAtTheSecondAttempt("ibv_destroy_qp", queuePair, queue);
    }

    @Test
    void queuePairThatSharesReceivesCountsForNothingAfterwards() {
        IbvCompletionQueue queue = verbs.queue(300);
        var shared = verbs.domain()
                .sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1));
        QueuePairConfig config = QueuePairConfig.of(verbs.domain(), queue).withSrq(shared);
        IbvQueuePair other = verbs.domain().create(config);
        IbvQueuePair queuePair = verbs.domain().create(config);
        expectClosedAtTheSecondAttempt("ibv_destroy_qp", queuePair, queue);
        other.close();
        expectClosedAtTheSecondAttempt("ibv_destroy_srq", (ManagedResource) shared, verbs.domain());
    }

    @Test
    void completionQueueKeepsItsChannelAndThatItsContext() {
        var channel = IbvCompletionChannel.create(verbs.context());
        var queue = CompletionQueueMaker.make(
                verbs.context(), CompletionQueueConfig.of(16).withChannel(channel));
        expectClosedAtTheSecondAttempt("ibv_destroy_cq", queue, channel);
        expectClosedAtTheSecondAttempt("ibv_destroy_comp_channel", channel, verbs.context());
    }

    @Test
    void domainKeepsItsContext() {
        IbvProtectionDomain domain = IbvProtectionDomain.create(verbs.context());
        expectClosedAtTheSecondAttempt("ibv_dealloc_pd", domain, verbs.context());
    }

    @Test
    void contextIsClosedAtTheSecondAttempt() {
        IbvContext context = IbvContext.open(StubVerbs.config(Quirks.NONE, NO_FEATURES));
        int begun = Stub.objects();
        expectUndestroyed("ibv_close_device", context);
        context.close();
        assertThat(Stub.objects()).isEqualTo(begun - 1);
    }

    @Test
    void contextWithReservedKeysIsClosedAtTheSecondAttempt() {
        IbvContext context = IbvContext.open(StubVerbs.config(RESERVING, NO_FEATURES));
        int begun = Stub.objects();
        expectUndestroyed("ibv_destroy_cq", context);
        expectUndestroyed("ibv_close_device", context); // the reserved keys are given back once
        context.close();
        assertThat(Stub.objects()).isEqualTo(begun - 2);
    }

    @Test
    void bufferIsClosedAlthoughAWindowOfItIsAboutToBe() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        RegisteredBuffer buffer = verbs.domain().allocate(4096, BINDABLE);
        var window = (IbvMemoryWindow) verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2);
        assertThat(queuePair.bind(1, window, buffer, 0, 64, SendFlag.SIGNALED, Access.REMOTE_WRITE))
                .isEqualTo(PostStatus.ACCEPTED);
        Background<Void> closing;
        synchronized (verbs.domain().registrations()) {
            closing = Background.start("closer", () -> {
                window.close();
                return null;
            });
            Stub.await("the window is about to be closed", () -> !window.isOpen());
            buffer.close();
        }
        closing.await(Waits.deadline());
    }

    @Test
    void bufferWhoseWindowCannotBeRevokedIsClosedLater() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        RegisteredBuffer buffer = verbs.domain().allocate(4096, BINDABLE);
        MemoryWindow window = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2);
        assertThat(queuePair.bind(1, window, buffer, 0, 64, SendFlag.SIGNALED, Access.REMOTE_WRITE))
                .isEqualTo(PostStatus.ACCEPTED);
        Stub.fail("ibv_alloc_mw", Errno.ENOMEM, 1);
        assertThatThrownBy(buffer::close).isInstanceOf(ResourceException.class).hasMessageContaining("ENOMEM");
        buffer.close();
        window.close();
    }

    @Test
    void addressHandleKeepsItsDomain() {
        AddressHandle handle = verbs.domain().addressHandle(AddressHandleConfig.to(new byte[16]));
        expectClosedAtTheSecondAttempt("ibv_destroy_ah", (ManagedResource) handle, verbs.domain());
    }

    @Test
    void listenerKeepsItsContext() {
        Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults());
        expectIdKept((ManagedResource) listener);
    }

    @Test
    void requestThatIsNotAnsweredKeepsItsContext() {
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            expectIdKept((ManagedResource) listener.accept(Waits.deadline()));
        }
    }

    @Test
    void connectionKeepsItsContext() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            expectIdKept((ManagedResource)
                    listener.accept(Waits.deadline()).accept(queuePair, ConnectionConfig.defaults(), Waits.deadline()));
        }
    }

    @Test
    void connectionKeepsItsOwnQueuePair() {
        IbvCompletionQueue queue = verbs.queue(16);
        int begun = Stub.objects();
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            Connection connection = listener.accept(Waits.deadline())
                    .accept(QueuePairConfig.of(verbs.domain(), queue), ConnectionConfig.defaults(), Waits.deadline());
            Stub.fail("rdma_destroy_id", Errno.EBUSY, Integer.MAX_VALUE);
            assertThatThrownBy(connection::close).isInstanceOf(ResourceException.class);
            assertThat(((IbvQueuePair) connection.queuePair()).isOpen()).isTrue();
            Stub.fail("", 0, 0);
            connection.close();
            assertThat(Stub.objects()).isEqualTo(begun);
        }
    }

    private void expectIdKept(ManagedResource owner) {
        int ids = Stub.ids();
        Stub.fail("rdma_destroy_id", Errno.EBUSY, Integer.MAX_VALUE); // closing may try more than once
        assertThatThrownBy(owner::close)
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining(owner.resourceName())
                .hasMessageContaining("rdma_destroy_id");
        Stub.fail("", 0, 0);
        assertThat(Stub.ids()).isEqualTo(ids);
        assertThat(owner.toString()).endsWith("(could not be closed)");
        assertThatThrownBy(verbs.context()::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(owner.resourceName());
        owner.close();
        assertThat(Stub.ids()).isEqualTo(ids - 1);
    }

    private static void expectUndestroyed(String call, ManagedResource resource) {
        Stub.fail(call, Errno.EBUSY, 2); // a deregistration tries twice by itself
        assertThatThrownBy(resource::close)
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining(call)
                .hasMessageContaining("EBUSY");
        assertThat(resource.toString()).endsWith("(could not be closed)");
        Stub.fail("", 0, 0);
    }

    private static void expectClosedAtTheSecondAttempt(String call, ManagedResource child, ManagedResource parent) {
        expectUndestroyed(call, child);
        assertThatThrownBy(parent::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(child.resourceName());
        child.close();
        assertThat(child.toString()).endsWith("(closed)");
    }
}
