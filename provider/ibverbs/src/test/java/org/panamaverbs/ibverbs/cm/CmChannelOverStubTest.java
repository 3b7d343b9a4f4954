package org.panamaverbs.ibverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Errors, not only exceptions, reach who waits, and leave the channel in order. */
class CmChannelOverStubTest extends OverStub {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);

    @Test
    void errorOfACallReachesItsCaller() {
        CmId id = verbs.cm().channel().create("a test");
        OutOfMemoryError error = new OutOfMemoryError();
        assertThatThrownBy(() -> id.perform(
                        arena -> {
                            throw error;
                        },
                        Waits.deadline()))
                .isSameAs(error);
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isTrue();
    }

    @Test
    void waitsEndWithTheirId() {
        CmId id = verbs.cm().channel().create("a test");
        Background<Boolean> waiting = Background.start("event", () -> id.awaitEvent(Waits.deadline()) == null);
        id.destroy();
        assertThatThrownBy(() -> waiting.await(Waits.deadline()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("destroyed");
    }

    @Test
    void eventThatIsThereIsTakenByAnInterruptedThread() throws InterruptedException {
        CmId id = verbs.cm().channel().create("a test");
        AtomicBoolean arrived = new AtomicBoolean();
        id.onArrival(new CmTask(() -> arrived.set(true)));
        resolve(id);
        Stub.await("the event arrives", arrived::get);
        Thread.currentThread().interrupt();
        assertThat(id.awaitEvent(Waits.deadline())).isNotNull();
        assertThat(Thread.interrupted()).isTrue();
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isTrue();
    }

    @Test
    void eventIsHandedOnThoughItCannotBeAcknowledged() {
        IbvQueuePair queuePair = queuePair();
        int before = Stub.connects();
        Stub.fail("rdma_ack_cm_event", Errno.EINVAL, 2);
        Background<Connection> connecting = Background.start(
                "connect",
                () -> verbs.connections()
                        .connect(PEER, queuePair, false, ConnectionConfig.defaults(), Waits.deadline()));
        Stub.await("rdma_connect is called", () -> Stub.connects() > before);
        queuePair.close();
        assertThatThrownBy(() -> connecting.await(Waits.deadline())).hasMessageContaining("was closed during set-up");
    }

    @Test
    void goesOnWhateverTheLogDoes() throws InterruptedException {
        Logger logger = Logger.getLogger(CmEventReader.class.getName());
        Failing handler = new Failing();
        logger.addHandler(handler);
        try {
            CmId id = verbs.cm().channel().create("a test");
            Stub.fail("rdma_ack_cm_event", Errno.EINVAL, 1);
            resolve(id);
            assertThat(id.awaitEvent(Waits.deadline())).isNotNull();
            Stub.await("a line is written", () -> handler.lines.get() > 0);
            resolve(id);
            assertThat(id.awaitEvent(Waits.deadline())).as("an event after it").isNotNull();
            id.destroy();
            assertThat(id.awaitDestroyed(10)).isTrue();
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void idThatTheKernelKeepsIsNotTouchedAfterItsChannel() {
        CmChannel channel = new CmChannel("stub0");
        channel.start();
        CmId id = channel.create("a test");
        Stub.fail("rdma_destroy_id", Errno.EBUSY, 1);
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isFalse();
        channel.close(Waits.deadline());
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isTrue();
        assertThat(Stub.forgetOrphans()).as("ids that are left as they were").isEqualTo(1);
    }

    @Test
    void idThatTheKernelKeptIsDestroyedBeforeItsChannel() {
        CmChannel channel = new CmChannel("stub0");
        channel.start();
        CmId id = channel.create("a test");
        Stub.fail("rdma_destroy_id", Errno.EBUSY, 1);
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isFalse();
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isTrue();
        channel.close(Waits.deadline());
        assertThat(Stub.forgetOrphans()).isZero();
    }

    @Test
    void lostEventIsDeliveredHoweverOftenThatFails() {
        CmId id = verbs.cm().channel().create("a test");
        AtomicInteger tries = new AtomicInteger();
        id.deliverTo(event -> {
            if (tries.incrementAndGet() < 5) {
                throw new OutOfMemoryError("none in this test");
            }
        });
        resolve(id);
        Stub.await("it is delivered", () -> tries.get() == 5);
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isTrue();
    }

    private static void resolve(CmId id) {
        assertThat(id.perform(
                        arena -> CmCalls.RESOLVE_ADDR.status(
                                id.pointer(), MemorySegment.NULL, SocketAddresses.encode(PEER, arena), 1),
                        Waits.deadline()))
                .hasValue(0);
    }

    /** A handler of the application's that fails, as one does for which there is no memory. */
    private static final class Failing extends Handler {
        private final AtomicInteger lines = new AtomicInteger();

        @Override
        public void publish(LogRecord line) {
            lines.incrementAndGet();
            throw new IllegalStateException("a handler of a test");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void keepsNothingOpenIfItsThreadCannotBeStarted() throws IOException {
        long before = eventFds();
        CmChannel channel = new CmChannel("stub0");
        assertThat(eventFds()).isEqualTo(before + 2);
        assertThatThrownBy(() -> channel.start(body -> {
                    throw new OutOfMemoryError("no thread in this test");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(eventFds()).isEqualTo(before);
    }

    @Test
    void signalsNobodyByADescriptorThatIsClosed() throws InterruptedException {
        CmChannel channel = new CmChannel("stub0");
        channel.start();
        int before = Stub.staleWrites();
        Stub.holdCloses(true);
        AtomicBoolean deferred = new AtomicBoolean(true);
        Thread deferring = new Thread(() -> deferred.set(channel.defer(new CmTask(() -> {}))), "deferring");
        try {
            Background.start("closer", () -> {
                channel.close(Waits.deadline());
                return true;
            });
            Stub.await("its signal is closed", () -> Stub.heldCloses() == 1);
            deferring.start();
            Stub.await(
                    "it waits or is through",
                    () -> deferring.getState() == Thread.State.WAITING
                            || deferring.getState() == Thread.State.TERMINATED);
        } finally {
            Stub.holdCloses(false);
        }
        deferring.join(TimeUnit.SECONDS.toMillis(10));
        assertThat(Stub.staleWrites()).isEqualTo(before);
        assertThat(deferred).isFalse();
    }

    /** Returns how many there are: the stub's event channels and the signals of those who wait for them are some. */
    private static long eventFds() throws IOException {
        long count = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                // The one that the directory is read with is a directory.
                count += Files.readSymbolicLink(descriptor).toString().contains("eventfd") ? 1 : 0;
            }
        }
        return count;
    }

    private IbvQueuePair queuePair() {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(1024)));
    }
}
