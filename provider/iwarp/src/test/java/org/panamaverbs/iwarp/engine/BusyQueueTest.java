package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Opcode;

/** A queue whose thread is in the kernel most of the time: doorbells share calls, and nothing stays behind. */
@Timeout(60)
class BusyQueueTest {
    private static final int MESSAGE = 64;
    // Longer than a doorbell is withheld, so that the next one comes sooner than that.
    private static final int IN_A_ROW = 16;
    private static final long CALL_NANOS = 100_000;

    private EventLoop loop;
    private RawStream raw;
    private StreamDriver driver;
    private final AtomicLong calls = new AtomicLong();
    // Each time that the driver gave bytes, or none, to the transport.
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicLong octets = new AtomicLong();
    private long posted;

    @BeforeEach
    void start() throws Exception {
        loop = EventLoop.start(SystemSockets.best());
        raw = new RawStream((event, fault) -> {});
        driver = new StreamDriver(
                loop,
                raw.stream,
                () -> false,
                Streams.stagings(),
                new SpinProgress(SystemSockets.best(), loop),
                new Doorbells.Withheld(loop));
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                Watch watch = loop.register(raw.near, Watch.READ, driver);
                done.complete(driver.establish(new SlowTransport(raw.near), watch, RawStream.AGREED, null, 0));
            } catch (IOException e) {
                done.completeExceptionally(new UncheckedIOException(e));
            }
        });
        assertThat(done.get(20, TimeUnit.SECONDS)).isTrue();
        // RFC 5044 §7.1.2: the responder sends nothing before the initiator has.
        raw.far.write(ByteBuffer.wrap(Framing.fpdu(Framing.ulpdu(segment -> {
            DdpHeader.emitTagged(segment, 0, true, Opcode.RDMA_WRITE, 1, 0);
            return DdpHeader.TAGGED_BYTES;
        }))));
        Raw.await("the first FPDU", () -> {
            driver.poll();
            return driver.state() == StreamState.ESTABLISHED;
        });
    }

    @AfterEach
    void stop() throws IOException {
        driver.abort();
        raw.close();
        loop.close();
    }

    /** Counts what goes, and takes its time. */
    private final class SlowTransport extends TcpTransport {
        SlowTransport(TcpSocket socket) {
            super(socket, "");
        }

        @Override
        public void write(IoVector from) throws IOException {
            boolean some = from.hasRemaining();
            rounds.incrementAndGet();
            super.write(from);
            if (some) {
                calls.incrementAndGet();
                octets.addAndGet(from.moved());
                spin(CALL_NANOS);
            }
        }
    }

    private static void spin(long nanos) {
        for (long begun = System.nanoTime(); System.nanoTime() - begun < nanos; ) {
            Thread.onSpinWait();
        }
    }

    /** Posts a message and rings; returns whether that led to a call. */
    private boolean post(SendOpcode operation, int length) {
        driver.lock.lock();
        try {
            long before = calls.get();
            int status = driver.stream()
                    .sends()
                    .post(
                            operation,
                            ++posted,
                            raw.region.base(),
                            length,
                            raw.region.stag(),
                            0,
                            1,
                            0,
                            SendFlag.SIGNALED);
            assertThat(status).isEqualTo(PostStatus.ACCEPTED);
            driver.flush();
            return calls.get() > before;
        } finally {
            driver.lock.unlock();
        }
    }

    /** Posts until a doorbell is withheld. */
    private void makeBusy() {
        Raw.await("a doorbell that is withheld", this::withholdsOneOfSome);
    }

    // In a row: on a busy machine whoever waits in between is away for too long.
    private boolean withholdsOneOfSome() {
        for (int i = 0; i < IN_A_ROW; i++) {
            if (!post(SendOpcode.SEND, MESSAGE)) {
                return true;
            }
        }
        return false;
    }

    private boolean allIsSent() {
        driver.lock.lock();
        try {
            return !driver.stream().wantsTransmit();
        } finally {
            driver.lock.unlock();
        }
    }

    @Test
    void doorbellsOfAQueueThatIsNotBusyAreNotWithheld() {
        for (int i = 0; i < 200; i++) {
            assertThat(post(SendOpcode.SEND, MESSAGE)).isTrue();
            spin(CALL_NANOS);
        }
    }

    @Test
    void aDoorbellWhoseOctetsWentWholeLooksForNoMore() {
        for (int i = 0; i < 100; i++) {
            long before = rounds.get();
            assertThat(post(SendOpcode.SEND, MESSAGE)).isTrue();
            assertThat(rounds.get() - before).as("rounds of one doorbell").isOne();
            spin(CALL_NANOS);
        }
    }

    @Test
    void doorbellsOfABusyQueueShareCalls() {
        makeBusy();
        long callsBefore = calls.get();
        long postedBefore = posted;

        for (int i = 0; i < 1000; i++) {
            if (i % RawStream.DEPTH == 0) {
                // As who waits for room.
                driver.poll();
                driver.poll();
            }
            post(SendOpcode.SEND, MESSAGE);
        }
        Raw.await("all to be sent", this::allIsSent);

        assertThat(calls.get() - callsBefore).isLessThan((posted - postedBefore) / 2);
        assertThat(octets.get()).isGreaterThan(posted * MESSAGE);
    }

    @Test
    void nobodyNeedsToPollOrPostForWhatIsWithheld() {
        makeBusy();

        Raw.await("all to be sent", this::allIsSent);
    }

    @Test
    void theSecondPollSendsWhatIsWithheld() {
        makeBusy();

        driver.poll();
        driver.poll();

        assertThat(allIsSent()).isTrue();
    }

    @Test
    void whoGoesToSleepLeavesNothingWithheld() {
        makeBusy();

        driver.watchInput();

        assertThat(allIsSent()).isTrue();
    }

    @Test
    void whatIsWithheldIsSentBeforeTheEnd() {
        makeBusy();

        driver.disconnect();

        assertThat(allIsSent()).isTrue();
    }

    @Test
    void aQueueAmongManyWithholdsNothing() {
        makeBusy();
        driver.findWithOthers();

        for (int i = 0; i < 100; i++) {
            assertThat(post(SendOpcode.SEND, MESSAGE)).isTrue();
        }
    }

    @Test
    void largeMessagesAreNotWithheld() {
        makeBusy();

        for (int i = 0; i < 8; i++) {
            assertThat(post(SendOpcode.SEND, 64 * 1024)).isTrue();
        }
    }

    @Test
    void whatAwaitsAnAnswerIsNotWithheldAndTakesTheOthersAlong() {
        makeBusy();

        assertThat(post(SendOpcode.RDMA_READ, 8)).isTrue();

        assertThat(allIsSent()).isTrue();
    }
}
