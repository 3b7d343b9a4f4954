package org.panamaverbs.sockets.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.channel.RdmaServerSocketImpl;
import org.panamaverbs.sockets.channel.RdmaSocketImpl;

/** One run of a case over the sockets of {@code java.net} of one kind; as a {@link Trial} is over channels. */
final class NetTrial implements AutoCloseable {
    /** Connections to an unknown peer before it is known as plain, as in {@link Trial}. */
    private static final int ASKING = 3;

    private static final int LATE_MILLIS = 1000;

    private static final int SMALL = 16_384;

    private final Trial trial;
    private final @Nullable SelectorProvider provider;
    private final @Nullable SelectorProvider peers;

    /**
     * Begins a run.
     *
     * @param provider of the sockets of the case; null for the JDK's
     * @param peers of the server sockets that they connect to; null for the JDK's
     */
    NetTrial(@Nullable SelectorProvider provider, @Nullable SelectorProvider peers) {
        this.provider = provider;
        this.peers = peers;
        trial = new Trial(SelectorProvider.provider(), SelectorProvider.provider());
    }

    /** Two sockets that are connected, and what has accepted one of them. */
    record Pair(Socket client, Socket server, ServerSocket listener) {}

    /** A socket of ours, as the process's factory would make it. */
    private static final class Ours extends Socket {
        Ours(SocketImpl impl) throws SocketException {
            super(impl);
        }
    }

    /** A server socket of ours, as the process's factories would have it. */
    private static final class OurServer extends ServerSocket {
        private final SelectorProvider provider;

        OurServer(SelectorProvider provider) {
            super(new RdmaServerSocketImpl(provider));
            this.provider = provider;
        }

        @Override
        public Socket accept() throws IOException {
            if (isClosed() || !isBound()) {
                return super.accept(); // which says so
            }
            Socket accepted = new Ours(new RdmaSocketImpl(provider));
            implAccept(accepted);
            return accepted;
        }
    }

    String trace() {
        return trial.trace();
    }

    void note(Object what) {
        trial.note(what);
    }

    /** Does one operation, and records its result, or the class of its exception, with the text of a socket's. */
    void op(String name, Callable<?> operation) {
        note(name + " " + outcome(operation));
    }

    interface Operation {
        void run() throws Exception;
    }

    /** Does one operation without a result; otherwise as {@link #op}. */
    void does(String name, Operation operation) {
        op(name, () -> {
            operation.run();
            return "done";
        });
    }

    static Callable<?> telling(Callable<?> operation) {
        return () -> outcome(operation);
    }

    static String outcome(Callable<?> operation) {
        return Trial.outcome(() -> {
            try {
                return operation.call();
            } catch (BindException e) {
                throw e; // whose text is the device's
            } catch (SocketException | SocketTimeoutException e) {
                // What follows a colon is the system's, or the device's.
                return "throws " + e.getClass().getName() + " "
                        + String.valueOf(e.getMessage())
                                .replaceFirst("[:(].*", "")
                                .trim();
            }
        });
    }

    <R extends AutoCloseable> R closing(R resource) {
        return trial.closing(resource);
    }

    Running start(Callable<?> operation) {
        return trial.start(telling(operation));
    }

    Running startVirtual(Callable<?> operation) {
        return trial.startVirtual(telling(operation));
    }

    private static Socket socketOf(@Nullable SelectorProvider provider) throws IOException {
        return provider == null ? new Socket() : new Ours(new RdmaSocketImpl(provider));
    }

    /** Returns a socket that is not connected. */
    Socket socket() throws IOException {
        return closing(socketOf(provider));
    }

    /** Returns a server socket of the case's kind that is not bound. */
    ServerSocket unbound() throws IOException {
        return closing(provider == null ? new ServerSocket() : new OurServer(provider));
    }

    /** Returns a server socket of the peers that listens at any port. */
    ServerSocket listener() throws IOException {
        return listening(peer());
    }

    private ServerSocket peer() throws IOException {
        return closing(peers == null ? new ServerSocket() : new OurServer(peers));
    }

    /** Binds the listener, and has one of another kind known as plain, without connections of that. */
    private ServerSocket listening(ServerSocket listener) throws IOException {
        listener.bind(anyPort());
        if (peers == null && provider != null) {
            socket().connect(listener.getLocalSocketAddress());
            listener.setSoTimeout(LATE_MILLIS);
            try {
                for (int taken = 0; taken < ASKING; taken++) {
                    closing(listener.accept());
                }
            } catch (SocketTimeoutException e) {
                // Those are all.
            }
            listener.setSoTimeout(0);
        }
        return listener;
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Returns an address where nobody listens. */
    InetSocketAddress nobody() throws IOException {
        return trial.nobody();
    }

    /** Returns an address where who connects is neither accepted nor refused. */
    InetSocketAddress nowhere() throws IOException {
        return (InetSocketAddress) trial.nowhere();
    }

    Pair pair() throws IOException {
        ServerSocket listener = listener();
        Socket client = socket();
        client.connect(listener.getLocalSocketAddress());
        return new Pair(client, closing(listener.accept()), listener);
    }

    /** Returns a pair that takes little while nobody reads. */
    Pair smallPair() throws IOException {
        ServerSocket listener = peer();
        listener.setReceiveBufferSize(SMALL);
        listening(listener);
        Socket client = socket();
        client.setSendBufferSize(SMALL);
        client.setReceiveBufferSize(SMALL);
        client.connect(listener.getLocalSocketAddress());
        return new Pair(client, closing(listener.accept()), listener);
    }

    /** Waits until {@code count} bytes can be read. */
    static void awaitAvailable(InputStream in, int count) throws IOException {
        long begun = System.nanoTime();
        while (in.available() < count) {
            Trial.requireTime(begun);
        }
    }

    /** Records what a socket says of itself. */
    void state(Socket socket) {
        note("bound " + socket.isBound() + " connected " + socket.isConnected() + " closed " + socket.isClosed()
                + " in " + socket.isInputShutdown() + " out " + socket.isOutputShutdown());
        note(socket.getInetAddress() + " " + (socket.getPort() > 0) + " " + socket.getLocalAddress() + " "
                + Integer.signum(socket.getLocalPort()));
    }

    @Override
    public void close() {
        trial.close();
    }
}
