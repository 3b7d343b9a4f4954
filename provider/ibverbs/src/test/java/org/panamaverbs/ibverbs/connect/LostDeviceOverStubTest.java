package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.ChannelWait;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.MemberEventQueue;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.process.ProcessorTime;

/** A device that fails, or that its driver takes away from who has it open, as those of adapters do. */
class LostDeviceOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final int REFUSED = PostStatus.ofErrno(Errno.EIO);
    private static final int BYTES = 64;
    private static final int IBV_EVENT_DEVICE_FATAL = 8; // infiniband/verbs.h: enum ibv_event_type

    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_2, Feature.SHARED_RECEIVE_QUEUE));
    }

    private IbvQueuePair connected(QueuePairConfig config) {
        IbvQueuePair queuePair = verbs.queuePair(config);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return queuePair;
    }

    private void awaitLoss() {
        Stub.await("the device is lost", verbs.context()::isLost);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private AsyncEvent event() {
        return verbs.context().asyncEvent(Waits.deadline()).orElseThrow();
    }

    /** Without its event, too: a destroy may be answered before that has come. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allOfARemovedDeviceIsClosed(boolean told) throws IOException {
        verbs.close();
        long before = descriptors();
        verbs = opened();
        MemoryWindow window = verbs.add(verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2)); // closed last
        RegisteredBuffer buffer = verbs.add(
                verbs.domain().allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND));
        IbvCompletionChannel channel = verbs.add(IbvCompletionChannel.create(verbs.context()));
        IbvCompletionQueue queue = verbs.add(CompletionQueueMaker.make(
                verbs.context(), CompletionQueueConfig.of(16).withChannel(channel)));
        SharedReceiveQueue shared = verbs.add(verbs.domain()
                .sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1)));
        IbvQueuePair queuePair =
                connected(QueuePairConfig.of(verbs.domain(), queue).withSrq(shared));
        assertThat(queuePair.bind(1, window, buffer, 0, BYTES, SendFlag.SIGNALED, Access.REMOTE_WRITE))
                .isEqualTo(PostStatus.ACCEPTED);
        verbs.add(verbs.domain().addressHandle(AddressHandleConfig.to(new byte[16])));

        Stub.remove(told);
        if (told) {
            assertThat(event().type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
        }
        verbs.close();
        Stub.bringBack();
        assertThat(descriptors()).as("file descriptors").isEqualTo(before);
        verbs = opened();
    }

    @Test
    void nothingIsAcceptedThatNeverCompletes() {
        IbvCompletionQueue queue = verbs.queue(16);
        SharedReceiveQueue shared = verbs.add(verbs.domain()
                .sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1)));
        IbvQueuePair queuePair = connected(QueuePairConfig.of(verbs.domain(), queue));
        RegisteredBuffer buffer = verbs.add(verbs.domain().allocate(4096, Access.LOCAL_WRITE));
        Batch batch = queuePair.batch();
        assertThat(batch.send(1, buffer, 0, BYTES, SendFlag.SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
        Stub.hold(queuePair.number(), true);

        Stub.remove(true);
        awaitLoss();
        Stub.await("the queue pair hears of it", () -> queuePair.entered() == QueuePairState.ERROR);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(batch.submit()).isEqualTo(REFUSED);
        batch.discard();
        assertThat(queuePair.send(2, buffer, 0, BYTES, SendFlag.SIGNALED)).isEqualTo(REFUSED);
        assertThat(queuePair.recv(3, buffer, 0, BYTES)).isEqualTo(REFUSED);
        assertThat(shared.recv(4, buffer, 0, BYTES)).isEqualTo(REFUSED);
        assertThatThrownBy(() -> queue.poll(completions, Waits.deadline()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(queue.resourceName(), "stub0", "remedy: close all");
    }

    /** What came before is still there. */
    @Test
    void completionsFromBeforeAreTakenFirst() {
        IbvCompletionQueue queue = verbs.queue(16);
        IbvQueuePair queuePair = connected(QueuePairConfig.of(verbs.domain(), queue));
        RegisteredBuffer buffer = verbs.add(verbs.domain().allocate(4096, Access.LOCAL_WRITE));
        assertThat(queuePair.send(7, buffer, 0, BYTES, SendFlag.SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
        Stub.remove(true);
        awaitLoss();
        assertThat(queue.poll(completions)).isOne();
        assertThat(completions.get(0).wrId()).isEqualTo(7);
        assertThat(completions.get(0).status()).isEqualTo(WcStatus.SUCCESS);
    }

    /** Also where the device stays: the adapter failed, and its driver has not taken it away yet. */
    @Test
    void waitsEndThatTheConnectionManagerEndsNot() {
        IbvCompletionQueue queue = verbs.queue(16);
        IbvCompletionChannel channel = verbs.add(IbvCompletionChannel.create(verbs.context()));
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
            try (Connection connection = listener.accept(Waits.deadline())
                    .accept(queuePair, ConnectionConfig.defaults(), Waits.deadline())) {
                Background<Boolean> ending =
                        Background.start("end", () -> connection.awaitDisconnect(Waits.deadline()));
                Background<Optional<?>> raised = Background.start("channel", () -> channel.await(Waits.deadline()));
                Background<?> request = Background.start("accept", () -> listener.accept(Waits.deadline()));
                Stub.asyncEvent(queuePair.number(), IBV_EVENT_DEVICE_FATAL);
                assertThat(ending.await(Waits.deadline())).isTrue();
                assertThatThrownBy(() -> raised.await(Waits.deadline()))
                        .isInstanceOf(ResourceException.class)
                        .hasMessageContainingAll(channel.resourceName(), "stub0");
                assertThatThrownBy(() -> request.await(Waits.deadline()))
                        .isInstanceOf(ConnectionException.class)
                        .hasMessageContaining("removed");
                assertThat(connection.isConnected()).isFalse();
                assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
                connection.disconnect(Waits.deadline());
            }
        }
    }

    /** The connection manager tells no listener at a wildcard address, and the device has told already. */
    @Test
    void listenerIsRefusedOnceTheDeviceIsLost() {
        Stub.remove(true);
        awaitLoss();
        InetSocketAddress wildcard = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);
        assertThatThrownBy(() -> verbs.connections().listen(wildcard, ListenerConfig.defaults()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContainingAll("listener at", "stub0", "removed");
    }

    /** The descriptor of a channel stays readable for ever then. */
    @Test
    void eventQueueHearsOfItOnceAndWaitsInPeace() {
        IbvCompletionChannel channel = verbs.add(IbvCompletionChannel.create(verbs.context()));
        Events events = Events.ofCapacity(4);
        ChannelWait wait = ChannelWait.open();
        try (MemberEventQueue queue =
                new MemberEventQueue("events", verbs.context(), verbs.context().asyncEvents(), wait)) {
            queue.addAsyncEvents("device");
            queue.add(channel, "channel");
            Stub.remove(true);
            assertThat(queue.await(events, Waits.deadline())).isOne();
            assertThat(events.get(0).asyncEvent().type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
            long before = ProcessorTime.nanosOfThreads(Thread.currentThread().getName());
            assertThat(queue.await(events, Deadline.in(400, TimeUnit.MILLISECONDS)))
                    .isZero();
            long used = ProcessorTime.nanosOfThreads(Thread.currentThread().getName()) - before;
            assertThat(used).as("ns of this thread").isLessThan(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    /** A device that works may have one command that fails so: what is there is not forgotten. */
    @Test
    void oneCommandWithEioIsNoLoss() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
        Stub.fail("ibv_destroy_qp", Errno.EIO, 1);
        assertThatThrownBy(queuePair::close)
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("EIO");
        assertThat(verbs.context().isLost()).isFalse();
        queuePair.close();
    }
}
