package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.iwarp.TerminateCause;
import org.panamaverbs.api.support.Waits;
import org.panamaverbs.api.watch.ConnectionFacts;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.engine.context.ConnectionOptions;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.objects.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.progress.Streams;
import org.panamaverbs.iwarp.engine.transport.Addresses;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Resources;

/** An attempt to connect one queue pair: made on the event loop, awaited by the thread that wants the connection. */
public final class Attempt implements Setup.Owner {
    /** What came of it; {@code words} are the transport's. */
    record Established(
            Negotiated negotiated,
            InetSocketAddress local,
            InetSocketAddress remote,
            Octets privateData,
            Carrier carrier,
            String words,
            @Nullable SSLSession tls) {
        /** Returns what was agreed and what carries it, in words. */
        String text() {
            return negotiated.text() + words;
        }
    }

    // How long the event loop may take to undo an attempt.
    private static final long CANCEL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String operation;
    private final Streams streams;
    private final IwarpQueuePair queuePair;
    private final int segmentBytes;
    private final ConnectionOptions options;
    private final long since = System.nanoTime();
    private final CompletableFuture<Established> outcome = new CompletableFuture<>();

    /**
     * Creates an attempt to connect {@code queuePair} with {@code peer}, who is named from now on, which it tells who
     * watches; {@code segmentBytes} 0 takes the size from the path.
     */
    public Attempt(
            String operation,
            Streams streams,
            IwarpQueuePair queuePair,
            InetSocketAddress peer,
            int segmentBytes,
            ConnectionOptions options) {
        this.operation = operation;
        this.streams = streams;
        this.queuePair = queuePair;
        this.segmentBytes = segmentBytes;
        this.options = options;
        queuePair.watch().begins(peer);
    }

    @Override
    public void agreed(Setup setup, Transport transport, Watch watch) throws IOException {
        int emss = segmentBytes != 0 ? segmentBytes : transport.segmentBytes();
        Negotiated negotiated = setup.startup().negotiated().withEmss(emss).withDraftSwap(options.draftSwap());
        TerminateCode code = setup.startup().startFault();
        Fault refusal = code == null ? null : Fault.local(code, "");
        Established established = new Established(
                negotiated,
                transport.localAddress(),
                setup.peer(),
                Octets.of(setup.startup().peerPrivateData()),
                transport.kind(),
                transport.text(),
                transport.session());
        ConnectionException refused = refusal == null ? null : refused(established, refusal.cause());
        long now = System.nanoTime();
        // Before: a stream that breaks at once may be ended by nobody else.
        streams.watchdog().add(queuePair.driver(), now);
        if (refusal == null) {
            queuePair.watch().connected(facts(setup, established), since);
        }
        if (!queuePair.driver().establish(transport, watch, negotiated, refusal, now)) {
            throw queuePairClosed();
        }
        // The transport is the stream's, which tells the peer of a refusal and closes it.
        if (refused == null) {
            outcome.complete(established);
        } else {
            outcome.completeExceptionally(refused);
        }
    }

    private ConnectionFacts facts(Setup setup, Established established) {
        if (setup.beganAnew()) {
            queuePair.watch().retried("the peer did not understand the Offer of shared memory: by TCP alone");
        }
        return new ConnectionFacts(
                operation,
                established.local(),
                established.remote(),
                established.carrier(),
                established.text(),
                established.negotiated().ird(),
                established.negotiated().ord());
    }

    private ConnectionException refused(Established established, TerminateCause cause) {
        return new ConnectionException(
                operation,
                Reason.NEGOTIATION,
                cause.toString(),
                established.privateData().toByteArray(),
                cause,
                null,
                established.negotiated().peerOrd(),
                established.negotiated().peerIrd());
    }

    @Override
    public void ended(Setup setup, @Nullable ConnectionException failure) {
        outcome.completeExceptionally(
                failure != null ? failure : new ConnectionException(operation, Reason.CLOSED, "it was rejected", null));
    }

    /** Has {@code action} run when it has ended, on the thread that ends it. */
    @SuppressWarnings("FutureReturnValueIgnored") // it only says when
    void whenEnded(Runnable action) {
        outcome.whenComplete((established, failure) -> action.run());
    }

    /** Ends the attempt before there is a setup. */
    void failEarly(RuntimeException cause) {
        outcome.completeExceptionally(cause);
    }

    /**
     * Returns what came of it, once it has ended.
     *
     * @param setup null if it ended before there was one
     * @param late whether its deadline has passed
     * @throws ConnectionException if it failed
     * @throws DeadlineExceededException if the deadline passed
     */
    Established result(@Nullable Setup setup, boolean late) {
        try {
            return Waits.uninterruptibly(outcome, Deadline.never());
        } catch (TimeoutException e) {
            throw new AssertionError("there is no deadline", e);
        } catch (ExecutionException e) {
            if (setup == null && e.getCause() instanceof VerbsException failure) {
                failure.fillInStackTrace();
                throw failure;
            }
            throw failure(e, late && setup != null ? () -> late(setup) : null);
        }
    }

    /**
     * Waits for the outcome; if the deadline passes, undoes the attempt.
     *
     * @throws ConnectionException if it failed
     * @throws DeadlineExceededException if the deadline passed and it was undone
     * @throws WaitInterruptedException if the thread is interrupted and it was undone
     */
    Established await(EventLoop loop, Setup setup, Deadline deadline) {
        Runnable closed = () -> loop.execute(() -> setup.cancel(queuePairClosed()));
        if (!queuePair.beforeClose(closed)) {
            closed.run();
        }
        try {
            return awaitOutcome(loop, setup, deadline);
        } finally {
            queuePair.beforeClose(null);
        }
    }

    private Established awaitOutcome(EventLoop loop, Setup setup, Deadline deadline) {
        try {
            return Waits.interruptibly(outcome, deadline);
        } catch (TimeoutException e) {
            return undone(loop, setup, "the deadline passed", () -> late(setup));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return undone(
                    loop,
                    setup,
                    "interrupted",
                    () -> Waits.interrupted(
                            operation,
                            "the connection with " + Addresses.text(setup.peer()) + "; the attempt was undone"));
        } catch (ExecutionException e) {
            throw failure(e, null);
        }
    }

    /** Undoes the attempt, and throws {@code otherwise} unless it ends by itself. */
    private Established undone(EventLoop loop, Setup setup, String why, Supplier<VerbsException> otherwise) {
        loop.execute(() -> setup.cancel(new ConnectionException(operation, Reason.CLOSED, why, null)));
        try {
            return Waits.uninterruptibly(outcome, Deadline.in(CANCEL_NANOS, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            throw new IllegalStateException(operation + " could not be undone: the event loop does not answer", e);
        } catch (ExecutionException e) {
            throw failure(e, otherwise);
        }
    }

    ConnectionException queuePairClosed() {
        return new ConnectionException(
                operation,
                Reason.CLOSED,
                queuePair.resourceName() + " was closed meanwhile; the attempt was undone",
                null);
    }

    /** Returns what is thrown for a failed outcome; {@code undone} makes that of an attempt that was cancelled. */
    private RuntimeException failure(ExecutionException wrapped, @Nullable Supplier<VerbsException> undone) {
        if (wrapped.getCause() == Setup.OUT_OF_MEMORY) {
            return new ConnectionException(operation, Reason.CLOSED, Setup.NO_MEMORY, null);
        }
        if (wrapped.getCause() instanceof ConnectionException failure) {
            // Made on the event loop: the stack that helps is the caller's.
            failure.fillInStackTrace();
            return undone != null && failure.reason() == Reason.CLOSED ? undone.get() : failure;
        }
        return new IllegalStateException(operation + " failed inside the provider", wrapped.getCause());
    }

    private DeadlineExceededException late(Setup setup) {
        String missing = setup.missing();
        return new DeadlineExceededException(
                operation,
                "no connection with " + Addresses.text(setup.peer()) + " in time"
                        + (missing.isEmpty() ? "" : ": " + missing) + "; the attempt was undone");
    }

    /**
     * Tells who watches {@code attempt}, drops {@code setup}, ends the stream of {@code claimed} and closes
     * {@code owned}, each also if another fails; what fails of that is a suppressed exception of {@code failure}.
     */
    static void undo(
            Throwable failure,
            @Nullable Attempt attempt,
            @Nullable Setup setup,
            @Nullable IwarpQueuePair claimed,
            @Nullable IwarpQueuePair owned) {
        if (attempt != null) {
            attempt.queuePair.watch().notConnected(attempt.operation, failure, attempt.since);
        }
        try {
            try {
                if (setup != null) {
                    setup.drop();
                }
            } finally {
                try {
                    if (claimed != null) {
                        claimed.driver().abort();
                    }
                } finally {
                    if (owned != null) {
                        owned.closeWithOwner();
                    }
                }
            }
        } catch (Throwable e) {
            Resources.suppress(failure, e);
        }
    }
}
