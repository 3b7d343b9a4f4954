package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
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
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.iwarp.core.Fault;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.engine.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.device.ConnectionOptions;
import org.panamaverbs.iwarp.engine.device.IwarpOption;
import org.panamaverbs.iwarp.engine.transport.Addresses;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.spi.support.PendingAttempt;
import org.panamaverbs.spi.support.Waits;
import org.panamaverbs.spi.watch.ConnectionFacts;

/**
 * An attempt to connect or accept with one queue pair, and what comes of it: its {@link Setup} runs on the event loop,
 * and the thread that waits, or whoever comes, takes the result.
 */
public final class Attempt extends PendingAttempt implements Setup.Owner {
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

    private final CmContext cm;
    private final String operation;
    private final IwarpQueuePair queuePair;
    private final boolean owned;
    private final ConnectionOptions options;
    private final long since = System.nanoTime();
    // Guarded by this, as the next two. Null until the peer's name is looked up.
    private @Nullable Setup setup;
    // Whether it is too late to begin a set-up.
    private boolean over;
    // What came of it, once it has ended: the one or the other.
    private @Nullable Established established;
    private @Nullable Throwable failure;
    // Guarded by this: whoever closes the device and the thread that waits undo it at the same time.
    private boolean undone;
    private volatile boolean late;
    // Of the thread that waits; whoever takes the result reads it.
    private volatile boolean interrupted;

    private Attempt(
            CmContext cm,
            String operation,
            IwarpQueuePair queuePair,
            boolean owned,
            InetSocketAddress peer,
            ConnectionOptions options) {
        super(operation, queuePair, cm.context().owner());
        this.cm = cm;
        this.operation = operation;
        this.queuePair = queuePair;
        this.owned = owned;
        this.options = options;
        try {
            queuePair.claim(operation);
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        }
        queuePair.watch().begins(peer);
    }

    /**
     * Creates an attempt to connect {@code queuePair}, which it claims, with {@code peer}, who is named from now on. If
     * the attempt fails, and if this throws, the queue pair is closed if {@code owned}.
     *
     * @throws IllegalStateException as {@link IwarpQueuePair#claim} does
     */
    public static Attempt of(
            CmContext cm,
            String operation,
            IwarpQueuePair queuePair,
            boolean owned,
            InetSocketAddress peer,
            ConnectionOptions options) {
        try {
            return new Attempt(cm, operation, queuePair, owned, peer, options);
        } catch (Throwable e) {
            if (owned) {
                try {
                    queuePair.closeWithOwner();
                } catch (Throwable suppressed) {
                    Resources.suppress(e, suppressed);
                }
            }
            throw e;
        }
    }

    // ---- its course -----------------------------------------------------------------------------------------------

    /** Has {@code start} begin on the loop what {@code make} returns, unless the attempt is over. Any thread. */
    synchronized void begin(Supplier<Setup> make, Consumer<Setup> start) {
        if (!over) {
            Setup made = make.get();
            setup = made;
            cm.context().loop().execute(() -> start.accept(made));
        }
    }

    /** Has the attempt end at {@code deadline}, and when its queue pair is closed; returns it. */
    PendingConnection until(Deadline deadline) {
        endWithQueuePair();
        endAt(deadline);
        return this;
    }

    private void endWithQueuePair() {
        if (!queuePair.beforeClose(this::queuePairClosed)) {
            queuePairClosed();
        }
    }

    private void queuePairClosed() {
        cancel(closedMeanwhile());
    }

    private ConnectionException closedMeanwhile() {
        String what = queuePair.resourceName() + " was closed during set-up; the attempt was undone";
        return new ConnectionException(operation, Reason.CLOSED, what, null);
    }

    @Override
    public long silentNanos() {
        Setup begun;
        synchronized (this) {
            begun = setup;
        }
        return begun == null ? -1 : begun.silentNanos();
    }

    @Override
    public boolean isAnnounced() {
        Setup begun;
        synchronized (this) {
            begun = setup;
        }
        return begun != null && begun.isAnnounced();
    }

    @Override
    protected void end(boolean isLate) {
        if (isLate) {
            late = true;
        }
        String why = isLate ? "the deadline passed" : "the attempt was cancelled";
        cancel(new ConnectionException(operation, Reason.CLOSED, why, null));
    }

    private void cancel(ConnectionException reason) {
        Setup begun;
        synchronized (this) {
            over = true;
            begun = setup;
        }
        if (begun != null) {
            cm.context().loop().execute(() -> begun.cancel(reason));
        } else {
            complete(null, late ? unresolved(operation) : reason);
        }
    }

    /** Ends the attempt, for which there was no set-up, because of {@code cause}. Any thread. */
    void failEarly(RuntimeException cause) {
        complete(null, cause);
    }

    private void complete(@Nullable Established made, @Nullable Throwable why) {
        synchronized (this) {
            over = true;
            if (established == null && failure == null) {
                established = made;
                failure = why;
            }
        }
        ended();
    }

    @Override
    public void agreed(Setup agreed, Transport transport, Watch watch) throws IOException {
        int fixed = cm.context().options().get(IwarpOption.FPDU_MAX);
        Negotiated negotiated = agreed.startup()
                .negotiated()
                .withEmss(fixed != 0 ? fixed : transport.segmentBytes())
                .withDraftSwap(options.draftSwap());
        TerminateCode code = agreed.startup().startFault();
        Fault refusal = code == null ? null : Fault.local(code, "");
        Established made = new Established(
                negotiated,
                transport.localAddress(),
                agreed.peer(),
                Octets.of(agreed.startup().peerPrivateData()),
                transport.kind(),
                transport.text(),
                transport.session());
        ConnectionException refused = refusal == null ? null : refused(made, refusal.cause());
        long now = System.nanoTime();
        // Before: a stream that breaks at once may be ended by nobody else.
        cm.streams().watchdog().add(queuePair.driver(), now);
        if (refusal == null) {
            tellWatchers(agreed, made);
        }
        if (!queuePair.driver().establish(transport, watch, negotiated, refusal, now)) {
            throw closedMeanwhile();
        }
        // The stream has it, tells the peer of a refusal, and closes it.
        agreed.taken();
        complete(refused == null ? made : null, refused);
    }

    private void tellWatchers(Setup agreed, Established made) {
        if (agreed.beganAnew()) {
            queuePair.watch().retried("the peer did not understand the Offer of shared memory; using TCP only");
        }
        ConnectionFacts facts = new ConnectionFacts(
                operation,
                made.local(),
                made.remote(),
                made.carrier(),
                made.text(),
                made.negotiated().ird(),
                made.negotiated().ord());
        queuePair.watch().connected(facts, since);
    }

    private ConnectionException refused(Established made, TerminateCause cause) {
        return new ConnectionException(
                operation,
                Reason.NEGOTIATION,
                cause.toString(),
                made.privateData().toByteArray(),
                cause,
                null,
                made.negotiated().peerOrd(),
                made.negotiated().peerIrd());
    }

    @Override
    public void ended(Setup its, @Nullable ConnectionException why) {
        complete(
                null,
                why != null
                        ? why
                        : new ConnectionException(operation, Reason.CLOSED, "the request was rejected", null));
    }

    // ---- its result -----------------------------------------------------------------------------------------------

    /**
     * Waits for the connection; if the deadline passes or the thread is interrupted, undoes the attempt.
     *
     * @throws ConnectionException if it failed
     * @throws DeadlineExceededException if the deadline passed and it was undone
     * @throws WaitInterruptedException if the thread is interrupted and it was undone
     */
    Connection connection(Deadline deadline) {
        endWithQueuePair();
        try {
            awaitEnded(deadline);
        } catch (TimeoutException e) {
            undo(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            interrupted = true;
            undo(false);
        }
        return take();
    }

    @Override
    protected Connection finish() {
        try {
            queuePair.beforeClose(null);
            return new IwarpConnection(cm, queuePair, owned, result());
        } catch (Throwable e) {
            undo(e);
            throw e;
        }
    }

    private Established result() {
        Setup begun;
        Established made;
        Throwable why;
        synchronized (this) {
            begun = setup;
            made = established;
            why = failure;
        }
        if (made != null) {
            return made;
        }
        if (why == Setup.OUT_OF_MEMORY) {
            throw new ConnectionException(operation, Reason.CLOSED, Setup.NO_MEMORY, null);
        }
        if (begun == null && why instanceof VerbsException early) {
            early.fillInStackTrace();
            throw early;
        }
        if (!(why instanceof ConnectionException failed)) {
            throw new IllegalStateException(operation + " failed because of an internal error", why);
        }
        // Made on the event loop: the stack that helps is the caller's.
        failed.fillInStackTrace();
        if (failed.reason() != Reason.CLOSED || begun == null || !(late || interrupted)) {
            throw failed;
        }
        String with = "the connection with " + Addresses.text(begun.peer());
        throw interrupted ? Waits.interrupted(operation, with + "; the attempt was undone") : tooLate(begun);
    }

    private DeadlineExceededException tooLate(Setup begun) {
        String missing = begun.missing();
        return new DeadlineExceededException(
                operation,
                "no connection with " + Addresses.text(begun.peer()) + " before the deadline"
                        + (missing.isEmpty() ? "" : ": " + missing) + "; the attempt was undone");
    }

    // ---- its undoing ----------------------------------------------------------------------------------------------

    /** Undoes an attempt that failed because of {@code why} before anybody had it. */
    void withdraw(Throwable why) {
        abandon();
        undo(why);
    }

    // Once, and each step also if another fails.
    private void undo(Throwable why) {
        Setup begun;
        synchronized (this) {
            over = true;
            begun = setup;
            if (undone) {
                return;
            }
            undone = true;
        }
        queuePair.beforeClose(null);
        queuePair.watch().notConnected(operation, why, since);
        try {
            try {
                if (begun != null) {
                    begun.drop();
                }
            } finally {
                try {
                    queuePair.driver().abort();
                } finally {
                    if (owned) {
                        queuePair.closeWithOwner();
                    }
                }
            }
        } catch (Throwable e) {
            Resources.suppress(why, e);
        }
    }
}
