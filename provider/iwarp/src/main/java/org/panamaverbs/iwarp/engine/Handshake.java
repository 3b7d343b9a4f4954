package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.iwarp.core.MpaStartup;
import org.panamaverbs.iwarp.core.StartupConfig;

/**
 * Drives the exchange of MPA frames on one channel, and owns the channel meanwhile. Belongs to the event loop's thread.
 */
final class Handshake implements EventLoop.Handler {
    /** Hears how it goes; called once for each step, on the loop's thread. */
    interface Owner {
        /** Responder: the request is here, to be accepted or rejected. */
        void requestReady(Handshake handshake);

        /** Agreed, and all frames are sent: take the channel and the key. */
        void agreed(Handshake handshake, SocketChannel channel, SelectionKey key);

        /** It failed, or this side rejected ({@code failure} is null then); the channel is no longer of use. */
        void ended(Handshake handshake, @Nullable ConnectionException failure);
    }

    private enum Phase {
        CONNECTING,
        EXCHANGING,
        WAITING,
        REJECTING,
        OVER
    }

    private static final int MAX_WASTE = 256;

    private final EventLoop loop;
    private final SocketChannel channel;
    private final MpaStartup startup;
    private final String operation;
    private final long closeNanos;
    private final InetSocketAddress peer;
    private Owner owner;
    private Phase phase = Phase.EXCHANGING;
    private @Nullable SelectionKey key;
    private volatile @Nullable ConnectionException failure;
    private volatile long deadlineNanos;

    private Handshake(
            EventLoop loop,
            SocketChannel channel,
            InetSocketAddress peer,
            MpaStartup startup,
            String operation,
            long closeNanos,
            Owner owner) {
        this.loop = loop;
        this.channel = channel;
        this.peer = peer;
        this.startup = startup;
        this.operation = operation;
        this.closeNanos = closeNanos;
        this.owner = owner;
    }

    /** Makes one that connects {@code channel} and asks. */
    static Handshake initiator(
            EventLoop loop, SocketChannel channel, InetSocketAddress peer, StartupConfig config, Owner owner) {
        return new Handshake(loop, channel, peer, MpaStartup.initiator(config), "connect", 0, owner);
    }

    /** Makes one that waits on {@code channel} to be asked. */
    static Handshake responder(
            EventLoop loop,
            SocketChannel channel,
            InetSocketAddress peer,
            StartupConfig config,
            long closeNanos,
            Owner owner) {
        return new Handshake(loop, channel, peer, MpaStartup.responder(config), "accept", closeNanos, owner);
    }

    /** Begins as initiator. */
    void connect() {
        try {
            phase = Phase.CONNECTING;
            key = loop.register(channel, SelectionKey.OP_CONNECT, this);
            if (channel.connect(peer)) {
                begin();
            }
        } catch (IOException | RuntimeException e) {
            end(SocketErrors.connecting(peer, e));
        }
    }

    /** Begins as responder; the peer has until {@code deadline} for its request. */
    void await(long deadline) {
        try {
            key = loop.register(channel, SelectionKey.OP_READ, this);
            deadlineNanos = deadline;
            loop.watch(this);
        } catch (IOException e) {
            end(SocketErrors.broken(operation, peer, e));
        }
    }

    /** Responder: accepts on behalf of {@code answerer}, who hears of the rest. */
    void accept(StartupConfig config, Owner answerer) {
        owner = answerer;
        if (phase != Phase.WAITING) {
            answerer.ended(this, gone(operation));
            return;
        }
        try {
            requireSilence();
            phase = Phase.EXCHANGING;
            startup.accept(config);
            exchange();
        } catch (IOException e) {
            end(SocketErrors.broken(operation, peer, e));
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Responder: rejects on behalf of {@code answerer}, who hears when the reply is sent. */
    void reject(byte[] privateData, Owner answerer) {
        owner = answerer;
        if (phase != Phase.WAITING) {
            answerer.ended(this, gone("reject"));
            return;
        }
        phase = Phase.EXCHANGING;
        try {
            startup.reject(privateData);
            exchange();
        } catch (IOException e) {
            end(SocketErrors.broken("reject", peer, e));
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private ConnectionException gone(String what) {
        ConnectionException why = failure;
        return why != null
                ? why
                : new ConnectionException(
                        what, Reason.CLOSED, "the request of " + SocketErrors.text(peer) + " was answered", null);
    }

    /** Ends it, whatever it is at; the owner hears {@code reason}. Does nothing when it is over. */
    void cancel(ConnectionException reason) {
        if (phase != Phase.OVER) {
            end(reason);
        }
    }

    /** Tells whether it ended without an agreement; any thread. */
    boolean hasFailed() {
        return failure != null;
    }

    /** Looks at once whether the peer has sent something. */
    void look(long now) {
        ready(registered(), now);
    }

    /** Returns the exchange, to ask what the peer said. */
    MpaStartup startup() {
        return startup;
    }

    /** Returns the peer's address. */
    InetSocketAddress peer() {
        return peer;
    }

    @Override
    public void ready(SelectionKey readyKey, long now) {
        try {
            switch (phase) {
                case CONNECTING -> {
                    if (channel.finishConnect()) {
                        begin();
                    }
                }
                case EXCHANGING -> exchange();
                case REJECTING -> awaitPeerClose();
                case WAITING -> requireSilence();
                case OVER -> readyKey.interestOps(0);
            }
        } catch (ConnectException e) {
            end(SocketErrors.connecting(peer, e));
        } catch (IOException e) {
            end(phase == Phase.CONNECTING ? SocketErrors.connecting(peer, e) : SocketErrors.broken(operation, peer, e));
        }
    }

    private void begin() throws IOException {
        phase = Phase.EXCHANGING;
        exchange();
    }

    private void exchange() throws IOException {
        while (phase == Phase.EXCHANGING) {
            ByteBuffer out = startup.transmitBuffer();
            if (out.hasRemaining() && channel.write(out) == 0) {
                interest(SelectionKey.OP_WRITE);
                return;
            }
            if (!out.hasRemaining() && !step()) {
                return;
            }
        }
    }

    /** Takes the next step with nothing to send; false if the peer has to move first, or it is over. */
    private boolean step() throws IOException {
        switch (startup.state()) {
            case IN_PROGRESS -> {
                return receive();
            }
            case REQUEST_READY -> {
                phase = Phase.WAITING;
                loop.unwatch(this);
                // A peer that leaves while its request waits shows it by its FIN or reset.
                interest(SelectionKey.OP_READ);
                owner.requestReady(this);
            }
            case DONE -> {
                phase = Phase.OVER;
                loop.unwatch(this);
                interest(SelectionKey.OP_READ);
                owner.agreed(this, channel, registered());
            }
            case REJECTED -> rejected();
            case FAILED -> end(SocketErrors.setup(operation, peer, startup));
        }
        return false;
    }

    private boolean receive() throws IOException {
        ByteBuffer in = startup.receiveBuffer();
        int octets = channel.read(in);
        if (octets == 0) {
            interest(SelectionKey.OP_READ);
            return false;
        }
        if (octets < 0) {
            startup.endOfStream();
        } else {
            startup.received();
        }
        return true;
    }

    private void rejected() throws IOException {
        if (operation.equals("connect")) {
            end(new ConnectionException(
                    operation,
                    Reason.REJECTED,
                    SocketErrors.text(peer) + " rejected the request",
                    startup.peerPrivateData(),
                    null,
                    null));
            return;
        }
        // The peer closes once it has read the reply: a close before it could reset the reply away.
        channel.shutdownOutput();
        phase = Phase.REJECTING;
        deadlineNanos = System.nanoTime() + closeNanos;
        loop.watch(this);
        interest(SelectionKey.OP_READ);
        owner.ended(this, null);
    }

    private void awaitPeerClose() throws IOException {
        ByteBuffer waste = ByteBuffer.allocate(MAX_WASTE);
        if (channel.read(waste) != 0) {
            close();
        }
    }

    /** RFC 5044 §7.1.2: an initiator sends nothing between its request and the reply. */
    private void requireSilence() throws IOException {
        ByteBuffer octet = ByteBuffer.allocate(1);
        int octets = channel.read(octet);
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
        if (phase == Phase.REJECTING) {
            close();
        } else {
            end(new ConnectionException(
                    operation, Reason.PROTOCOL, SocketErrors.text(peer) + " sent no MPA Request in time", null));
        }
    }

    @Override
    public void failed(Throwable cause) {
        end(new ConnectionException(operation, Reason.CLOSED, "internal error: " + cause, cause));
    }

    private SelectionKey registered() {
        SelectionKey registered = key;
        if (registered == null) {
            throw new IllegalStateException("the channel to " + peer + " is not registered");
        }
        return registered;
    }

    private void interest(int operations) {
        registered().interestOps(operations);
    }

    private void end(ConnectionException reason) {
        boolean tell = phase != Phase.OVER && phase != Phase.REJECTING;
        failure = reason;
        close();
        if (tell) {
            owner.ended(this, reason);
        }
    }

    private void close() {
        phase = Phase.OVER;
        loop.unwatch(this);
        SocketErrors.close(channel);
    }
}
