package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.iwarp.core.FuzzStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;

/** A set-up of the engine over a socket of the loopback, and the peer's end of that socket. */
final class FuzzHandshake implements Setup.Owner, AutoCloseable {
    /** How it ended: agreed on a connection, or not, with the reason if the peer is to blame. */
    record Outcome(@Nullable Transport transport, @Nullable ConnectionException failure) {}

    private static final int PATIENCE_SECONDS = 30;
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final EventLoop LOOP = EventLoop.start(SystemSockets.best());
    private static final ServerSocket PEER_LISTENS;
    private static final TcpServer ENGINE_LISTENS;

    static {
        try {
            PEER_LISTENS = new ServerSocket(0, 0, LOOPBACK);
            ENGINE_LISTENS = SystemSockets.best().listen(new InetSocketAddress(LOOPBACK, 0), 50, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final LinkedBlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
    private final FuzzStartup model;
    private final Setup setup;
    private final Socket peer;
    private @Nullable Transport agreed;

    /** Begins the set-up of the side that {@code model} describes. */
    FuzzHandshake(FuzzStartup model) throws IOException {
        this.model = model;
        if (model.isInitiator()) {
            TcpSocket socket = SystemSockets.best().open(false);
            InetSocketAddress address = (InetSocketAddress) PEER_LISTENS.getLocalSocketAddress();
            setup = Setup.initiator(LOOP, new TcpTransport(socket, ""), address, model.config(), this);
            LOOP.execute(setup::connect);
            peer = PEER_LISTENS.accept();
        } else {
            peer = new Socket(LOOPBACK, ENGINE_LISTENS.localAddress().getPort());
            TcpSocket socket = Objects.requireNonNull(ENGINE_LISTENS.accept());
            InetSocketAddress address = socket.remoteAddress();
            long patience = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            setup = Setup.responder(
                    LOOP, new TcpTransport(socket, ""), address, model.config(), new LingeringPeers(1, patience), this);
            LOOP.execute(() -> setup.awaitRequest(System.nanoTime() + patience));
        }
        peer.setSoTimeout(PATIENCE_SECONDS * 1_000);
        peer.setTcpNoDelay(true);
    }

    /** The peer sends, in pieces of {@code most} bytes; the engine may have closed meanwhile. */
    void send(byte[] octets, int most) {
        try {
            for (int from = 0; from < octets.length; from += most) {
                peer.getOutputStream().write(octets, from, Math.min(most, octets.length - from));
            }
        } catch (IOException e) {
            expectClosed(e);
        }
    }

    // A peer that is told off early cannot send the rest.
    private void expectClosed(IOException e) {
        if (model.startup().failure() == null && model.taken() == model.offered().length) {
            throw new AssertionError("the socket was closed on a peer that did nothing wrong", e);
        }
    }

    /** The peer sends nothing more. */
    void shutDown() {
        try {
            peer.shutdownOutput();
        } catch (IOException e) {
            expectClosed(e);
        }
    }

    /** The peer resets the connection. */
    void reset() throws IOException {
        if (!peer.isClosed()) {
            peer.setSoLinger(true, 0);
            peer.close();
        }
    }

    /** Waits for the end. */
    Outcome outcome() throws InterruptedException {
        Outcome outcome = outcomes.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (outcome == null) {
            throw new AssertionError("does not end");
        }
        agreed = outcome.transport;
        return outcome;
    }

    /** Returns the next {@code most} bytes that the engine sends, fewer if it closes before. */
    byte[] received(int most) {
        byte[] octets = new byte[most];
        int count = 0;
        try {
            for (int more = 0; more >= 0 && count < most; count += Math.max(0, more)) {
                more = peer.getInputStream().read(octets, count, most - count);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("neither sends nor closes", e);
        } catch (IOException e) {
            // Reset, since the engine did not want what the peer sent.
            return Arrays.copyOf(octets, count);
        }
        return Arrays.copyOf(octets, count);
    }

    /** Returns the next {@code count} bytes of the connection that was agreed on: what the set-up left there. */
    byte[] left(Transport transport, int count) throws IOException {
        ByteBuffer octets = ByteBuffer.allocate(count);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        int more = 0;
        while (octets.hasRemaining() && more >= 0 && System.nanoTime() - until < 0) {
            more = transport.read(octets);
        }
        return Arrays.copyOf(octets.array(), octets.position());
    }

    /** Returns what the peer said, by way of the setup. */
    MpaStartup startup() {
        return setup.startup();
    }

    @Override
    public void requestReady(Setup ready) {
        byte[] rejection = model.rejection();
        LOOP.execute(() -> {
            if (rejection != null) {
                ready.reject(rejection, this);
            } else {
                ready.accept(model.answer(), 0, this);
            }
        });
    }

    @Override
    public void agreed(Setup over, Transport transport, Watch watch) {
        watch.interest(0);
        over.taken();
        outcomes.add(new Outcome(transport, null));
    }

    @Override
    public void ended(Setup over, @Nullable ConnectionException failure) {
        outcomes.add(new Outcome(null, failure));
    }

    @Override
    public void close() throws IOException {
        // A reset, so that no end of this socket lingers.
        reset();
        Transport transport = agreed;
        if (transport != null) {
            LOOP.execute(() -> LOOP.closeNow(transport.channel()));
        }
    }
}
