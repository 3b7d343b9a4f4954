package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.Fault;
import org.panamaverbs.iwarp.core.StreamEvent;
import org.panamaverbs.iwarp.core.StreamListener;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Opcode;

/** What ends a stream in which something went wrong inside the provider, and how that is told. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class BrokenStreamTest {
    private EventLoop loop;

    @BeforeEach
    void start() {
        loop = EventLoop.start(SystemSockets.best());
    }

    @AfterEach
    void stop() {
        loop.close();
    }

    private StreamDriver idle(RawStream raw) {
        return new StreamDriver(
                loop,
                raw.stream,
                () -> false,
                Streams.stagings(),
                new SpinProgress(SystemSockets.best(), loop),
                new Doorbells.Withheld(loop));
    }

    private void establish(StreamDriver driver, RawStream raw, Transport transport, @Nullable Fault refusal)
            throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                Watch watch = loop.register(raw.near, Watch.READ, driver);
                done.complete(driver.establish(transport, watch, RawStream.AGREED, refusal, 0));
            } catch (IOException e) {
                done.completeExceptionally(new UncheckedIOException(e));
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        assertThat(done.get(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Returns who looks after {@code driver}, twenty times a second. */
    private StallWatchdog watchdog(StreamDriver driver) {
        StallWatchdog watchdog = new StallWatchdog(loop, TimeUnit.MILLISECONDS.toNanos(200));
        loop.execute(() -> watchdog.add(driver, System.nanoTime()));
        Raw.await("the watchdog", () -> watchdog.watched() == 1);
        return watchdog;
    }

    private StreamDriver driver(RawStream raw) throws Exception {
        StreamDriver driver = idle(raw);
        establish(driver, raw, new TcpTransport(raw.near, ""), null);
        raw.far.write(ByteBuffer.wrap(Framing.fpdu(Framing.ulpdu(segment -> {
            DdpHeader.emitTagged(segment, 0, true, Opcode.RDMA_WRITE, 1, 0);
            return DdpHeader.TAGGED_BYTES;
        }))));
        return driver;
    }

    private static void pollUntilClosed(StreamDriver driver) {
        for (long i = 0; driver.state() != StreamState.CLOSED; i++) {
            driver.poll();
            TlsLink.bound(i);
        }
    }

    @Test
    void aLogHandlerMayCallIntoTheConnectionOfWhichItIsTold() throws Exception {
        try (RawStream raw = new RawStream(failingAt(StreamEvent.COMMUNICATION_ESTABLISHED, new AtomicBoolean(true)))) {
            StreamDriver driver = driver(raw);
            CompletableFuture<StreamState> seen = new CompletableFuture<>();
            Logger logger = Logger.getLogger(StreamDriver.class.getPackageName());
            Handler handler = new CallingHandler(line -> {
                driver.progress();
                driver.disconnect();
                seen.complete(driver.state());
            });
            logger.addHandler(handler);
            try {
                pollUntilClosed(driver);

                assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo(StreamState.CLOSED);
            } finally {
                logger.removeHandler(handler);
            }
        }
    }

    /** As where memory ends, also in what ends the stream. */
    @ParameterizedTest
    @EnumSource(names = {"FATAL", "DISCONNECTED"})
    void aStreamThatCouldNotBeEndedIsEndedThoughNobodyPolls(StreamEvent inItsEnd) throws Exception {
        AtomicBoolean once = new AtomicBoolean(true);
        StreamListener failing = failingAt(StreamEvent.COMMUNICATION_ESTABLISHED, new AtomicBoolean(true));
        StreamListener failingAgain = failingAt(inItsEnd, once);
        try (RawStream raw = new RawStream((event, fault) -> {
            failing.event(event, fault);
            failingAgain.event(event, fault);
        })) {
            StreamDriver driver = driver(raw);
            StallWatchdog watchdog = watchdog(driver);

            for (long i = 0; once.get(); i++) {
                driver.poll();
                TlsLink.bound(i);
            }

            Raw.await("its end", () -> driver.state() == StreamState.CLOSED);
            Raw.await("the watchdog", () -> watchdog.watched() == 0);
            assertThat(once).isFalse();
            assertThat(raw.stream.fault())
                    .extracting(fault -> fault.reason())
                    .isEqualTo(TerminateReason.PROVIDER_FAILURE);
            assertThat(raw.near.isOpen()).isFalse();
        }
    }

    /** As where memory ends while a transport is taken over, and in what ends the stream for it. */
    @Test
    void aStreamThatBreaksAsItBeginsHasTakenItsTransportAndIsEndedLater() throws Exception {
        StreamListener failing = failingAt(StreamEvent.FATAL, new AtomicBoolean(true));
        StreamListener failingAgain = failingAt(StreamEvent.DISCONNECTED, new AtomicBoolean(true));
        try (RawStream raw = new RawStream((event, fault) -> {
            failing.event(event, fault);
            failingAgain.event(event, fault);
        })) {
            StreamDriver driver = idle(raw);
            StallWatchdog watchdog = watchdog(driver);

            establish(driver, raw, new TcpTransport(raw.near, ""), Fault.QUEUE_OVERRUN);

            Raw.await("its end", () -> driver.state() == StreamState.CLOSED);
            Raw.await("the watchdog", () -> watchdog.watched() == 0);
            assertThat(raw.near.isOpen()).isFalse();
        }
    }

    @Test
    void aTransportThatFailsAsItIsTakenOverIsClosed() throws Exception {
        try (RawStream raw = new RawStream((event, fault) -> {})) {
            StreamDriver driver = idle(raw);
            Transport transport = new TcpTransport(raw.near, "");

            establish(driver, raw, FailingTransport.of(transport, "established", () -> true), null);

            assertThat(driver.state()).isEqualTo(StreamState.CLOSED);
            assertThat(raw.near.isOpen()).isFalse();
        }
    }

    @Test
    void stateIsNeverOlderThanWhatHasCompleted() throws Exception {
        try (RawStream raw = new RawStream((event, fault) -> {})) {
            StreamDriver driver = idle(raw);
            FutureTask<StreamState> asked = new FutureTask<>(driver::state);
            // The transport is closed by the pass that ends the stream, when all is flushed and may have been polled.
            Transport asking = FailingTransport.of(new TcpTransport(raw.near, ""), operation -> {
                if (operation.equals("close")) {
                    Thread.ofPlatform().daemon().start(asked);
                    awaitBriefly(asked);
                }
                return null;
            });
            establish(driver, raw, asking, null);

            driver.abort();

            assertThat(asked.get(20, TimeUnit.SECONDS)).isEqualTo(StreamState.CLOSED);
        }
    }

    /** Gives {@code task} the time to end, which it may need the caller's lock for. */
    private static void awaitBriefly(FutureTask<?> task) {
        try {
            task.get(100, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            assertThat(task).isNotDone();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTransportThatCannotBeClosedIsClosedLaterAndToldOfOnce() throws Exception {
        Logger logger = Logger.getLogger(StreamDriver.class.getPackageName());
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new CallingHandler(line -> lines.add(line.getMessage()));
        logger.addHandler(handler);
        try (RawStream raw = new RawStream((event, fault) -> {})) {
            AtomicInteger failures = new AtomicInteger(3);
            StreamDriver driver = idle(raw);
            StallWatchdog watchdog = watchdog(driver);
            Transport transport = new TcpTransport(raw.near, "");
            establish(driver, raw, FailingTransport.of(transport, "close", () -> failures.getAndDecrement() > 0), null);

            assertThatThrownBy(driver::abort).isInstanceOf(OutOfMemoryError.class);

            Raw.await("that it is closed", () -> !raw.near.isOpen());
            Raw.await("the watchdog", () -> watchdog.watched() == 0);
            assertThat(driver.state()).isEqualTo(StreamState.CLOSED);
            Raw.await("the last line", () -> lines.contains("a connection failed because of an internal error"));
            assertThat(lines).hasSize(2);
            assertThat(lines.getFirst()).contains("cannot be closed now");
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void streamsAreLookedAtAlsoWherePeersMayStandStillForEver() throws Exception {
        try (RawStream raw = new RawStream((event, fault) -> {})) {
            StreamDriver driver = driver(raw);
            StallWatchdog watchdog = new StallWatchdog(loop, 0);
            CompletableFuture<Long> patience = new CompletableFuture<>();
            loop.execute(() -> {
                long now = System.nanoTime();
                watchdog.add(driver, now);
                patience.complete(watchdog.deadlineNanos() - now);
            });

            assertThat(patience.get(20, TimeUnit.SECONDS))
                    .isPositive()
                    .isLessThanOrEqualTo(TimeUnit.SECONDS.toNanos(10));
            assertThat(watchdog.watched()).isOne();
            driver.abort();
        }
    }

    private static StreamListener failingAt(StreamEvent where, AtomicBoolean once) {
        return (event, fault) -> {
            if (event == where && once.getAndSet(false)) {
                throw new OutOfMemoryError("of a test");
            }
        };
    }

    /** Calls for each line. */
    private static final class CallingHandler extends Handler {
        private final Consumer<LogRecord> call;

        CallingHandler(Consumer<LogRecord> call) {
            this.call = call;
        }

        @Override
        public void publish(LogRecord line) {
            call.accept(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
