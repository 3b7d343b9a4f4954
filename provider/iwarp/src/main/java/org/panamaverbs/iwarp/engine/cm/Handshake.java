package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.support.LaterLog;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.context.LoopTimer;
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

    private final LoopTimer timer = new LoopTimer();
    private final EventLoop loop;
    private final String operation;
    private final InetSocketAddress peer;
    private final Opening opening;
    private final MpaExchange exchange;
    private final SetupEnd end;
    private final Runnable again = this::again;
    private final Runnable drop = this::dropped;
    /** The request behind this one; of {@link ReadyRequests}. */
    @Nullable
    Handshake nextReady;

    private Owner owner;
    private HandshakePhase phase = HandshakePhase.EXCHANGING;

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
        this.owner = owner;
        end = new SetupEnd(loop, this, opening, lingering, failure -> this.owner.ended(this, failure));
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
            end.dueAt(deadline);
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
            answerer.ended(this, outcome().gone(operation, peer));
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
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Responder: rejects on behalf of {@code answerer}, who hears when the reply is sent. */
    public void reject(byte[] privateData, Owner answerer) {
        owner = answerer;
        if (phase != HandshakePhase.WAITING) {
            answerer.ended(this, outcome().gone("reject", peer));
            return;
        }
        phase = HandshakePhase.EXCHANGING;
        try {
            startup().reject(privateData);
            goOn();
        } catch (IOException e) {
            end(SocketErrors.broken("reject", peer, e));
        } catch (Throwable e) {
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

    /**
     * Ends the handshake, whatever it is at; the owner hears {@code reason}. Does nothing when it is over. What fails
     * of the end is tried again.
     */
    void cancel(ConnectionException reason) {
        if (phase == HandshakePhase.HANDED_OVER || phase == HandshakePhase.OVER) {
            return;
        }
        try {
            if (isInitiator()) {
                outcome().lacks(opening.missing(exchange.octetsReceived()));
            }
        } finally {
            end(reason);
        }
    }

    /** Returns how it ended; any thread. */
    SetupOutcome outcome() {
        return end.outcome();
    }

    /** Looks at once whether the peer has sent something; what goes wrong with it is not the caller's affair. */
    void look(long now) {
        try {
            ready(opening.watch(), now);
        } catch (Throwable e) {
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

    /** Tells whether it connected a second time, as the peer did not understand the first. */
    boolean beganAnew() {
        return opening.wasReplaced();
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
                case HANDING_OVER, ENDING -> {
                    // What failed then is tried once more.
                    end(SetupOutcome.OUT_OF_MEMORY);
                    readyWatch.interest(0);
                }
                case HANDED_OVER, OVER -> readyWatch.interest(0);
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
                end.notDue();
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
        end.notDue();
        Transport carrier = opening.carrier();
        Watch its = opening.watch();
        // Before: from now on the transport is the owner's, whatever goes wrong.
        phase = HandshakePhase.HANDING_OVER;
        owner.agreed(this, carrier, its);
        phase = HandshakePhase.HANDED_OVER;
    }

    private void rejected() {
        if (isInitiator()) {
            end(SocketErrors.rejected(operation, peer, startup()));
            return;
        }
        phase = HandshakePhase.REJECTING;
        end.rejected(() -> phase = HandshakePhase.OVER);
    }

    /** Ends the handshake with {@code reason}; a peer that was to ask counts until it had time to hear why. */
    private void refuse(ConnectionException reason) {
        if (isInitiator() || !exchange.awaitsPeer()) {
            end(reason);
            return;
        }
        phase = HandshakePhase.REFUSING;
        outcome().failed(reason);
        end.linger(() -> {
            phase = HandshakePhase.OVER;
            end.tell(reason);
        });
    }

    @Override
    public LoopTimer timer() {
        return timer;
    }

    @Override
    public long deadlineNanos() {
        return end.deadlineNanos();
    }

    @Override
    public void timeout(long now) {
        if (phase == HandshakePhase.HANDING_OVER || phase == HandshakePhase.ENDING) {
            end(SetupOutcome.OUT_OF_MEMORY);
            return;
        }
        String lacking = phase == HandshakePhase.OPENING ? transport().lacking() : "sent no MPA Request";
        end(SocketErrors.late(lacking, operation, peer));
    }

    @Override
    public void failed(Throwable cause) {
        ConnectionException reason = SetupOutcome.OUT_OF_MEMORY;
        try {
            reason = new ConnectionException(operation, Reason.CLOSED, SetupOutcome.internal(cause), cause);
        } finally {
            end(reason);
        }
    }

    @Override
    public void loopClosed() {
        cancel(new ConnectionException(operation, Reason.CLOSED, "the context was closed", null));
    }

    // The boundary of a set-up: whatever fails of its end is done by the timer, and is nobody else's affair.
    private void end(ConnectionException reason) {
        if (phase == HandshakePhase.HANDED_OVER || phase == HandshakePhase.OVER) {
            return;
        }
        try {
            if (end.closeLingering()) {
                return;
            }
            if (phase == HandshakePhase.HANDING_OVER) {
                end.notDue();
                owner.ended(this, reason);
                phase = HandshakePhase.HANDED_OVER;
            } else {
                phase = HandshakePhase.ENDING;
                end.close(reason);
                phase = HandshakePhase.OVER;
            }
        } catch (Throwable e) {
            end.dueAgain();
            String what = "a set-up cannot be ended now: it is tried again";
            LaterLog.log(Handshake.class, System.Logger.Level.WARNING, what, e);
        }
    }
}
