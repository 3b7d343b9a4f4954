package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
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

        /**
         * Agreed, and all frames are sent: take the transport and its watch, which nobody else closes any more. Should
         * this throw, {@link #ended} is called, until that does not: it does what was not done here.
         */
        void agreed(Handshake handshake, Transport transport, Watch watch);

        /** It failed, or this side rejected ({@code failure} is null then); the transport is no longer of use. */
        void ended(Handshake handshake, @Nullable ConnectionException failure);
    }

    private final EventLoop loop;
    private final String operation;
    private final @Nullable LingeringPeers lingering;
    private final InetSocketAddress peer;
    private final Opening opening;
    private final MpaExchange exchange;
    private final SetupOutcome outcome = new SetupOutcome();
    private final Runnable again = this::again;
    private final Runnable drop = this::dropped;
    /** The request behind this one; of {@link ReadyRequests}. */
    @Nullable
    Handshake nextReady;

    private Owner owner;
    private HandshakePhase phase = HandshakePhase.EXCHANGING;
    private @Nullable LingeringClose lingeringClose;
    /** Whether the transport is closed. */
    private boolean released;

    private volatile long deadlineNanos;

    private Handshake(
            EventLoop loop,
            Transport transport,
            InetSocketAddress peer,
            StartupConfig config,
            String operation,
            @Nullable LingeringPeers lingering,
            Owner owner) {
        this.loop = loop;
        opening = new Opening(peer, transport, new SetupWatch(loop, this, again));
        this.peer = peer;
        exchange = new MpaExchange(operation.equals("connect"), config);
        this.operation = operation;
        this.lingering = lingering;
        this.owner = owner;
    }

    /** Creates a handshake that connects {@code transport} and asks. */
    public static Handshake initiator(
            EventLoop loop, Transport transport, InetSocketAddress peer, StartupConfig config, Owner owner) {
        return new Handshake(loop, transport, peer, config, "connect", null, owner);
    }

    /** Creates a handshake that waits on {@code transport} to be asked. */
    public static Handshake responder(
            EventLoop loop,
            Transport transport,
            InetSocketAddress peer,
            StartupConfig config,
            LingeringPeers lingering,
            Owner owner) {
        return new Handshake(loop, transport, peer, config, "accept", lingering, owner);
    }

    /** Begins as initiator. */
    public void connect() {
        try {
            phase = HandshakePhase.CONNECTING;
            if (opening.connect()) {
                ready(opening.watch(), 0);
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
            opening.begin();
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
            answerer.ended(this, outcome.gone(operation, peer));
            return;
        }
        try {
            MpaExchange.requireSilence(transport());
            phase = HandshakePhase.EXCHANGING;
            if (typeOfService != 0) {
                transport().typeOfService(typeOfService);
            }
            exchange.accept(answer, transport());
            goOn();
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
            answerer.ended(this, outcome.gone("reject", peer));
            return;
        }
        phase = HandshakePhase.EXCHANGING;
        try {
            startup().reject(privateData);
            goOn();
        } catch (IOException e) {
            end(SocketErrors.broken("reject", peer, e));
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /**
     * Has the loop end the handshake, whatever it is at, since nobody wants it any more; any thread, and without
     * memory.
     */
    void drop() {
        loop.execute(drop);
    }

    /** Ends the handshake, whatever it is at; the owner hears {@code reason}. Does nothing when it is over. */
    void cancel(ConnectionException reason) {
        if (lingeringClose != null) {
            lingeringClose.close();
        } else if (phase != HandshakePhase.HANDED_OVER && !(phase == HandshakePhase.OVER && released)) {
            try {
                if (isInitiator()) {
                    outcome.lacks(opening.missing(exchange.octetsReceived()));
                }
            } finally {
                end(reason);
            }
        }
    }

    /** Returns how it ended; any thread. */
    SetupOutcome outcome() {
        return outcome;
    }

    /** Looks at once whether the peer has sent something; what goes wrong with it is not the caller's affair. */
    void look(long now) {
        try {
            ready(opening.watch(), now);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
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
        return exchange.startup();
    }

    private Transport transport() {
        return opening.transport();
    }

    /** Returns the peer's address. */
    InetSocketAddress peer() {
        return peer;
    }

    /** Returns the TLS session, null without TLS or before there is one. */
    @Nullable
    SSLSession tlsSession() {
        return transport().session();
    }

    @Override
    public void ready(Watch readyWatch, long now) {
        try {
            transport().ready();
            switch (phase) {
                case CONNECTING -> {
                    if (transport().finishConnect()) {
                        open();
                    }
                }
                case OPENING -> open();
                case EXCHANGING -> goOn();
                case WAITING -> {
                    MpaExchange.requireSilence(transport());
                    opening.await(Watch.READ);
                }
                case HANDING_OVER -> {
                    // What failed then is tried once more.
                    end(SetupOutcome.OUT_OF_MEMORY);
                    readyWatch.interest(0);
                }
                case OVER -> {
                    if (!released) {
                        end(SetupOutcome.OUT_OF_MEMORY);
                    }
                    readyWatch.interest(0);
                }
                case HANDED_OVER -> readyWatch.interest(0);
                case REJECTING, REFUSING -> {
                    // The channel is that of the lingering close.
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
        try {
            if (!opening.replace()) {
                return false;
            }
        } catch (ConnectionException e) {
            end(e);
            return true;
        }
        connect();
        return true;
    }

    private void open() throws IOException {
        phase = HandshakePhase.OPENING;
        if (opening.open(again)) {
            phase = HandshakePhase.EXCHANGING;
            exchange.begin(transport());
            goOn();
        }
    }

    // There is something of which the channel's readiness does not tell.
    private void dropped() {
        cancel(SetupOutcome.DROPPED);
    }

    private void again() {
        if (phase == HandshakePhase.OPENING || phase == HandshakePhase.EXCHANGING || phase == HandshakePhase.WAITING) {
            look(0);
        }
    }

    /** Exchanges frames until the peer or the application has to move, or it is over. */
    private void goOn() throws IOException {
        switch (exchange.advance(opening)) {
            case IN_PROGRESS -> {}
            case REQUEST_READY -> {
                phase = HandshakePhase.WAITING;
                loop.unwatch(this);
                // A peer that leaves while its request waits shows it by its FIN or reset.
                opening.await(Watch.READ);
                owner.requestReady(this);
            }
            case DONE -> agreed();
            case REJECTED -> rejected();
            case FAILED -> end(SocketErrors.setup(operation, peer, startup()));
        }
    }

    private void agreed() throws IOException {
        loop.unwatch(this);
        Transport carrier = opening.carrier();
        Watch its = opening.watch();
        // Before: from now on the transport is the owner's, whatever goes wrong.
        phase = HandshakePhase.HANDING_OVER;
        owner.agreed(this, carrier, its);
        phase = HandshakePhase.HANDED_OVER;
    }

    private void rejected() throws IOException {
        if (isInitiator()) {
            end(SocketErrors.rejected(operation, peer, startup()));
            return;
        }
        phase = HandshakePhase.REJECTING;
        try {
            closeLingering(() -> phase = HandshakePhase.OVER);
        } finally {
            // The reply is sent, whatever becomes of the channel: who rejects waits to hear of it.
            owner.ended(this, null);
        }
    }

    /** Ends the handshake with {@code reason}; a peer that was to ask counts until it had time to hear why. */
    private void refuse(ConnectionException reason) {
        if (isInitiator() || !exchange.awaitsPeer()) {
            end(reason);
            return;
        }
        phase = HandshakePhase.REFUSING;
        outcome.failed(reason);
        closeLingering(() -> {
            phase = HandshakePhase.OVER;
            owner.ended(this, reason);
        });
    }

    private void closeLingering(Runnable over) {
        loop.unwatch(this);
        lingeringClose =
                new LingeringClose(loop, transport(), opening.watch(), Objects.requireNonNull(lingering), over);
        lingeringClose.begin();
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void timeout(long now) {
        String lacking = phase == HandshakePhase.OPENING ? transport().lacking() : "sent no MPA Request";
        end(SocketErrors.late(lacking, operation, peer));
    }

    @Override
    public void failed(Throwable cause) {
        ConnectionException reason = SetupOutcome.OUT_OF_MEMORY;
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

    private void end(ConnectionException reason) {
        if (phase == HandshakePhase.HANDING_OVER) {
            owner.ended(this, reason);
            phase = HandshakePhase.HANDED_OVER;
        }
        if (phase == HandshakePhase.HANDED_OVER) {
            return;
        }
        boolean tell = phase != HandshakePhase.OVER && phase != HandshakePhase.REJECTING;
        if (phase != HandshakePhase.OVER) {
            outcome.failed(reason);
        }
        phase = HandshakePhase.OVER;
        try {
            loop.unwatch(this);
        } finally {
            try {
                transport().close(false);
                // Behind it: what was not closed is closed the next time.
                released = true;
            } finally {
                if (tell) {
                    owner.ended(this, reason);
                }
            }
        }
    }
}
