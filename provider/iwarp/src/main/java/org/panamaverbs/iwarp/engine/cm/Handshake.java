package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.transport.HandshakePhase;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;
import org.panamaverbs.iwarp.engine.transport.TlsErrors;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/**
 * Sets one connection up: TCP, TLS if it is wanted, then the exchange of MPA frames; owns the transport meanwhile.
 * Belongs to the event loop's thread.
 */
public final class Handshake implements LoopHandler {
    /** Hears how it goes; called once for each step, on the loop's thread. */
    public interface Owner {
        /** Responder: the request is here, to be accepted or rejected. */
        void requestReady(Handshake handshake);

        /** Agreed, and all frames are sent: take the transport and its watch, which nobody else closes any more. */
        void agreed(Handshake handshake, Transport transport, Watch watch);

        /** It failed, or this side rejected ({@code failure} is null then); the transport is no longer of use. */
        void ended(Handshake handshake, @Nullable ConnectionException failure);
    }

    /** Why a handshake ended that nobody wants any more; nobody hears of it. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // dropping needs no memory, which may be what lacks
    private static final ConnectionException DROPPED =
            withoutStack(new ConnectionException("accept", Reason.CLOSED, "the request was dropped", null));

    /** Why a handshake ended for which there was no memory to say why; whoever hears of it says it anew. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // made beforehand for the same reason
    static final ConnectionException OUT_OF_MEMORY =
            withoutStack(new ConnectionException("connect", Reason.CLOSED, "internal error: out of memory", null));

    // It would show where this class was initialized, in the log, too.
    private static ConnectionException withoutStack(ConnectionException made) {
        made.setStackTrace(new StackTraceElement[0]);
        return made;
    }

    private final EventLoop loop;
    private Transport transport;
    private final StartupConfig config;
    private final String operation;
    private final @Nullable Partings partings;
    private final InetSocketAddress peer;
    private final SetupProgress progress = new SetupProgress();
    private final Runnable drop = this::dropped;
    private final Runnable again = this::again;
    /** The request behind this one; of {@link ReadyRequests}. */
    @Nullable
    Handshake nextReady;

    private Owner owner;
    private HandshakePhase phase = HandshakePhase.EXCHANGING;
    /** Whether the transport is the owner's, who closes it. */
    private boolean handedOver;
    /** The exchange of frames, made when the transport is open: what is asked for depends on it. */
    private @Nullable MpaStartup startup;

    private @Nullable Watch watch;
    /** What is watched, once something is. */
    private @Nullable Pollable channel;

    private @Nullable LastWords lastWords;
    private volatile @Nullable ConnectionException failure;
    private volatile String missing = "";
    private volatile long deadlineNanos;

    private Handshake(
            EventLoop loop,
            Transport transport,
            InetSocketAddress peer,
            StartupConfig config,
            String operation,
            @Nullable Partings partings,
            Owner owner) {
        this.loop = loop;
        this.transport = transport;
        this.peer = peer;
        this.config = config;
        this.operation = operation;
        this.partings = partings;
        this.owner = owner;
    }

    /** Makes one that connects {@code transport} and asks. */
    public static Handshake initiator(
            EventLoop loop, Transport transport, InetSocketAddress peer, StartupConfig config, Owner owner) {
        return new Handshake(loop, transport, peer, config, "connect", null, owner);
    }

    /** Makes one that waits on {@code transport} to be asked. */
    public static Handshake responder(
            EventLoop loop,
            Transport transport,
            InetSocketAddress peer,
            StartupConfig config,
            Partings partings,
            Owner owner) {
        return new Handshake(loop, transport, peer, config, "accept", partings, owner);
    }

    /** Begins as initiator. */
    public void connect() {
        try {
            phase = HandshakePhase.CONNECTING;
            watch(Watch.WRITE);
            if (transport.connect(peer)) {
                ready(registered(), 0);
            }
        } catch (IOException | RuntimeException e) {
            end(SocketErrors.connecting(peer, e));
        } catch (Error e) {
            failed(e);
        }
    }

    /** Begins as responder; the peer has until {@code deadline} for its request. */
    public void await(long deadline) {
        try {
            phase = HandshakePhase.OPENING;
            watch(Watch.READ);
            deadlineNanos = deadline;
            loop.watch(this);
        } catch (IOException e) {
            end(SocketErrors.broken(operation, peer, e));
        }
    }

    /**
     * Responder: accepts on behalf of {@code answerer}, who hears of the rest.
     *
     * @param typeOfService the connection's, 0 for the system's
     */
    public void accept(StartupConfig answer, int typeOfService, Owner answerer) {
        owner = answerer;
        if (phase != HandshakePhase.WAITING) {
            answerer.ended(this, gone(operation));
            return;
        }
        try {
            requireSilence();
            phase = HandshakePhase.EXCHANGING;
            if (typeOfService != 0) {
                transport.typeOfService(typeOfService);
            }
            startup().accept(fitting(answer));
            exchange();
        } catch (IOException e) {
            end(SocketErrors.broken(operation, peer, e));
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Responder: rejects on behalf of {@code answerer}, who hears when the reply is sent. */
    public void reject(byte[] privateData, Owner answerer) {
        owner = answerer;
        if (phase != HandshakePhase.WAITING) {
            answerer.ended(this, gone("reject"));
            return;
        }
        phase = HandshakePhase.EXCHANGING;
        try {
            startup().reject(privateData);
            exchange();
        } catch (IOException e) {
            end(SocketErrors.broken("reject", peer, e));
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private ConnectionException gone(String what) {
        ConnectionException why = failure;
        try {
            return why != null ? why : SocketErrors.answered(what, peer);
        } catch (OutOfMemoryError e) {
            return OUT_OF_MEMORY;
        }
    }

    /** Has the loop end it, whatever it is at, since nobody wants it any more; any thread, and without memory. */
    void drop() {
        loop.execute(drop);
    }

    private void dropped() {
        cancel(DROPPED);
    }

    /** Ends it, whatever it is at; the owner hears {@code reason}. Does nothing when it is over. */
    void cancel(ConnectionException reason) {
        if (lastWords != null) {
            lastWords.close();
        } else if (phase != HandshakePhase.OVER) {
            try {
                missing = isInitiator() ? progress.missing(transport.lacking(), octetsReceived()) : "";
            } finally {
                end(reason);
            }
        }
    }

    /** Returns what an initiator that was cancelled had not reached, empty if it was not cancelled; any thread. */
    String missing() {
        return missing;
    }

    /** Tells whether it ended without an agreement; any thread. */
    boolean hasFailed() {
        return failure != null;
    }

    /** Looks at once whether the peer has sent something; what goes wrong with it is not the caller's affair. */
    void look(long now) {
        try {
            ready(registered(), now);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private int octetsReceived() {
        MpaStartup begun = startup;
        return begun == null ? 0 : begun.octetsReceived();
    }

    private boolean isInitiator() {
        return operation.equals("connect");
    }

    /**
     * Returns the exchange, to ask what the peer said.
     *
     * @throws IllegalStateException if the transport was never open
     */
    public MpaStartup startup() {
        MpaStartup begun = startup;
        if (begun == null) {
            throw new IllegalStateException("nothing was exchanged with " + peer);
        }
        return begun;
    }

    /** Returns the peer's address. */
    InetSocketAddress peer() {
        return peer;
    }

    /** Returns the TLS session, null without TLS or before there is one. */
    @Nullable
    SSLSession tlsSession() {
        return transport.session();
    }

    @Override
    public void ready(Watch readyWatch, long now) {
        try {
            transport.ready();
            switch (phase) {
                case CONNECTING -> {
                    if (transport.finishConnect()) {
                        open();
                    }
                }
                case OPENING -> open();
                case EXCHANGING -> exchange();
                case WAITING -> {
                    requireSilence();
                    interest(Watch.READ);
                }
                case OVER -> readyWatch.interest(0);
                case REJECTING, REFUSING -> {
                    // The channel is that of the last words.
                }
            }
        } catch (SSLException e) {
            refuse(TlsErrors.failed(operation, peer, e));
        } catch (IOException e) {
            if (phase != HandshakePhase.OPENING || !connectAnew()) {
                end(SocketErrors.during(phase, operation, peer, e));
            }
        }
    }

    /** Connects anew if the peer did not understand how this side began; false if that is not why it failed. */
    private boolean connectAnew() {
        Transport other;
        try {
            other = transport.another();
        } catch (ConnectionException e) {
            end(e);
            return true;
        }
        if (other == null) {
            return false;
        }
        Transport before = transport;
        transport = other;
        channel = null;
        watch = null;
        try {
            before.close(false);
        } finally {
            connect();
        }
        return true;
    }

    private void open() throws IOException {
        phase = HandshakePhase.OPENING;
        progress.connected();
        int wanted = transport.open(this::openOn);
        if (wanted == Transport.OPEN) {
            progress.opened();
            transport = transport.carrier();
            // Its channel may be another than the last one of the set-up.
            watch(Watch.READ);
            phase = HandshakePhase.EXCHANGING;
            StartupConfig wish = fitting(config);
            startup = isInitiator() ? MpaStartup.initiator(wish) : MpaStartup.responder(wish);
            exchange();
        } else {
            watch(wanted);
        }
    }

    /** Returns {@code wish} without what only a wire needs, if there is none. */
    private StartupConfig fitting(StartupConfig wish) {
        return transport.hasWire() ? wish : wish.withoutCrcAndMarkers();
    }

    // What the transport had to do elsewhere is done.
    private void openOn() {
        if (phase == HandshakePhase.OPENING) {
            goOn();
        }
    }

    // There is something of which the channel's readiness does not tell.
    private void again() {
        if (phase == HandshakePhase.EXCHANGING || phase == HandshakePhase.WAITING) {
            goOn();
        }
    }

    private void goOn() {
        try {
            ready(registered(), 0);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void exchange() throws IOException {
        while (phase == HandshakePhase.EXCHANGING) {
            ByteBuffer out = startup().transmitBuffer();
            if (out.hasRemaining()) {
                transport.write(out);
            }
            if (out.hasRemaining() || !transport.flush()) {
                interest(Watch.WRITE);
                return;
            }
            if (!step()) {
                return;
            }
        }
    }

    /** Takes the next step with nothing to send; false if the peer has to move first, or it is over. */
    private boolean step() throws IOException {
        switch (startup().state()) {
            case IN_PROGRESS -> {
                return receive();
            }
            case REQUEST_READY -> {
                phase = HandshakePhase.WAITING;
                loop.unwatch(this);
                // A peer that leaves while its request waits shows it by its FIN or reset.
                interest(Watch.READ);
                owner.requestReady(this);
            }
            case DONE -> agreed();
            case REJECTED -> rejected();
            case FAILED -> end(SocketErrors.setup(operation, peer, startup()));
        }
        return false;
    }

    private void agreed() throws IOException {
        loop.unwatch(this);
        transport = transport.carrier();
        interest(Watch.READ);
        Watch its = registered();
        // Before: from now on the transport is the owner's, whatever goes wrong.
        phase = HandshakePhase.OVER;
        handedOver = true;
        owner.agreed(this, transport, its);
    }

    private boolean receive() throws IOException {
        MpaStartup exchange = startup();
        ByteBuffer in = exchange.receiveBuffer();
        int octets = transport.read(in);
        if (octets == 0) {
            interest(Watch.READ | (transport.isBlocked() ? Watch.WRITE : 0));
            return false;
        }
        if (octets < 0) {
            exchange.endOfStream();
        } else {
            TlsErrors.requirePlain(in, isInitiator());
            exchange.received();
        }
        return true;
    }

    private void rejected() throws IOException {
        if (isInitiator()) {
            end(SocketErrors.rejected(operation, peer, startup()));
            return;
        }
        phase = HandshakePhase.REJECTING;
        sayLastWords(() -> phase = HandshakePhase.OVER);
        owner.ended(this, null);
    }

    /** Ends it with {@code reason}; a peer that was to ask counts until it had time to hear why. */
    private void refuse(ConnectionException reason) {
        MpaStartup begun = startup;
        if (isInitiator() || (begun != null && begun.state() != MpaStartup.State.IN_PROGRESS)) {
            end(reason);
            return;
        }
        phase = HandshakePhase.REFUSING;
        failure = reason;
        sayLastWords(() -> {
            phase = HandshakePhase.OVER;
            owner.ended(this, reason);
        });
    }

    private void sayLastWords(Runnable over) {
        loop.unwatch(this);
        lastWords = new LastWords(loop, transport, registered(), Objects.requireNonNull(partings), over);
        lastWords.begin();
    }

    /** RFC 5044 §7.1.2: an initiator sends nothing between its request and the reply. */
    private void requireSilence() throws IOException {
        ByteBuffer octet = ByteBuffer.allocate(1);
        int octets = transport.read(octet);
        if (octets < 0) {
            throw new IOException("the peer closed the connection before it was accepted");
        }
        if (octets > 0) {
            throw new IOException("the peer sent octets behind its MPA Request");
        }
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void timeout(long now) {
        String lacking = phase == HandshakePhase.OPENING ? transport.lacking() : "sent no MPA Request";
        end(SocketErrors.late(lacking, operation, peer));
    }

    @Override
    public void failed(Throwable cause) {
        ConnectionException reason = OUT_OF_MEMORY;
        try {
            reason = new ConnectionException(operation, Reason.CLOSED, "internal error: " + cause, cause);
        } finally {
            end(reason);
        }
    }

    @Override
    public void loopClosed() {
        cancel(new ConnectionException(operation, Reason.CLOSED, "the context was closed", null));
    }

    private Watch registered() {
        Watch registered = watch;
        if (registered == null) {
            throw new IllegalStateException("the channel to " + peer + " is not registered");
        }
        return registered;
    }

    /** Waits for {@code operations} of the transport. */
    private void interest(int operations) throws IOException {
        int awaited = transport.await(operations, false);
        watch(awaited & ~Transport.NOW);
        if ((awaited & Transport.NOW) != 0) {
            loop.execute(again);
        }
    }

    /** Watches the transport's channel for {@code operations}, in place of the one before if it has another. */
    private void watch(int operations) throws IOException {
        Pollable its = transport.channel();
        if (its.equals(channel)) {
            registered().interest(operations);
            return;
        }
        if (watch != null) {
            watch.cancel();
        }
        channel = its;
        watch = loop.register(its, operations, this);
    }

    private void end(ConnectionException reason) {
        if (handedOver) {
            return;
        }
        boolean tell = phase != HandshakePhase.OVER && phase != HandshakePhase.REJECTING;
        failure = reason;
        try {
            close();
        } finally {
            if (tell) {
                owner.ended(this, reason);
            }
        }
    }

    private void close() {
        phase = HandshakePhase.OVER;
        try {
            loop.unwatch(this);
        } finally {
            transport.close(false);
        }
    }
}
