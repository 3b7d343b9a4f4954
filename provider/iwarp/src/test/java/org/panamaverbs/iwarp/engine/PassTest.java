package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.StreamEvent;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.testkit.Requirement;

/** What one stream can do to the thread that drives it, which has others to drive. */
@Timeout(60)
class PassTest {
    private static final long MEBI = 1 << 20;

    private static byte[] emptyWrite() {
        return Framing.fpdu(Framing.ulpdu(segment -> {
            DdpHeader.emitTagged(segment, 0, true, Opcode.RDMA_WRITE, 1, 0);
            return DdpHeader.TAGGED_BYTES;
        }));
    }

    private static byte[] read(int msn, int stag) {
        return Framing.fpdu(Framing.ulpdu(segment -> {
            DdpHeader.emitUntagged(segment, 0, true, Opcode.READ_REQUEST, 0, msn, 0);
            ReadRequestView.emit(segment, DdpHeader.UNTAGGED_BYTES, 1, 0, RawStream.MEMORY_BYTES, stag, 0);
            return DdpHeader.UNTAGGED_BYTES + ReadRequestView.BYTES;
        }));
    }

    /** Reads and counts until the end. */
    private static long takeAll(RawStream of) {
        ByteBuffer sink = ByteBuffer.allocateDirect((int) MEBI);
        long octets = 0;
        try {
            for (int some = 0; some >= 0; some = of.far.read(sink.clear())) {
                octets += some;
            }
        } catch (IOException e) {
            // Reset: it has sent more than was read.
            return octets;
        }
        return octets;
    }

    /** Asks for all memory as often as it may, then sends what means nothing, until the end. */
    private static long sendAll(RawStream of, AtomicLong sent) throws IOException {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int msn = 1; msn <= RawStream.DEPTH; msn++) {
            requests.write(read(msn, of.region.stag()));
        }
        ByteArrayOutputStream nothing = new ByteArrayOutputStream();
        for (int i = 0; i < 5000; i++) {
            nothing.write(emptyWrite());
        }
        ByteBuffer next = ByteBuffer.wrap(requests.toByteArray());
        try {
            while (true) {
                sent.addAndGet(of.far.write(next));
                next = next.hasRemaining() ? next : ByteBuffer.wrap(nothing.toByteArray());
            }
        } catch (IOException e) {
            return sent.get();
        }
    }

    @Test
    @Requirement("SEC-6.4.2-01")
    void aPeerThatAlwaysSendsAndTakesAllDoesNotKeepTheThread() throws Exception {
        try (RawStream raw = new RawStream((event, fault) -> {})) {
            AtomicLong sent = new AtomicLong();
            Background<Long> sending = Background.start(() -> sendAll(raw, sent));
            Background<Long> taking = Background.start(() -> takeAll(raw));
            Raw.await("its bytes", () -> sent.get() > 100_000);
            raw.stream.start(RawStream.AGREED, 0);
            StreamSocket socket = new StreamSocket(raw.stream, Streams.stagings());
            socket.open(new TcpTransport(raw.near, ""));

            socket.exchange(1);
            raw.near.close();

            assertThat(taking.get()).as("bytes of one pass").isPositive().isLessThan(20 * MEBI);
            assertThat(sending.get()).isPositive();
        }
    }

    @Test
    void whoPollsIsSparedTheErrorsOfOneStream() throws Exception {
        EventLoop loop = EventLoop.start(SystemSockets.best());
        try (RawStream raw = new RawStream((event, fault) -> {
            if (event == StreamEvent.COMMUNICATION_ESTABLISHED) {
                throw new InternalError("of a test");
            }
        })) {
            StreamDriver driver = new StreamDriver(
                    loop,
                    raw.stream,
                    () -> false,
                    Streams.stagings(),
                    new SpinProgress(SystemSockets.best(), loop),
                    new Doorbells.Withheld(loop));
            establish(loop, driver, raw);
            raw.far.write(ByteBuffer.wrap(emptyWrite()));

            for (long i = 0; driver.state() != StreamState.CLOSED; i++) {
                driver.poll();
                TlsLink.bound(i);
            }
            assertThat(raw.stream.fault())
                    .extracting(fault -> fault.reason())
                    .isEqualTo(TerminateReason.PROVIDER_FAILURE);
        } finally {
            loop.close();
        }
    }

    private static void establish(EventLoop loop, StreamDriver driver, RawStream raw) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                Watch watch = loop.register(raw.near, Watch.READ, driver);
                done.complete(driver.establish(new TcpTransport(raw.near, ""), watch, RawStream.AGREED, null, 0));
            } catch (IOException e) {
                done.completeExceptionally(new UncheckedIOException(e));
            }
        });
        assertThat(done.get(20, TimeUnit.SECONDS)).isTrue();
    }
}
