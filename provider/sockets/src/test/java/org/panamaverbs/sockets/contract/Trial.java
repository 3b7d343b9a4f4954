package org.panamaverbs.sockets.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One run of a case over one provider: what it opens, which is closed at the end, and the trace that it records. */
final class Trial implements AutoCloseable {
    /** How long anything is waited for. */
    static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** How often something is looked at that does not tell. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** Connections that a system keeps for a listener with a backlog of 1, and more. */
    private static final int FILLING = 4;

    private static final int SMALL = 16_384;

    /** Connections to an unknown peer: over RDMA, over plain TCP, and over RDMA in the background. */
    private static final int ASKING = 3;

    /** An attempt that was given up before its connection may have none. */
    private static final long LATE_MILLIS = 1000;

    private final SelectorProvider provider;
    private final SelectorProvider peers;
    private final List<AutoCloseable> open = Collections.synchronizedList(new ArrayList<>());
    // Several threads of one case write to it.
    @SuppressWarnings("JdkObsolete")
    private final StringBuffer trace = new StringBuffer();

    private volatile boolean skipped;

    /**
     * Begins a run.
     *
     * @param provider of the channels of the case
     * @param peers of the listeners that they connect to
     */
    Trial(SelectorProvider provider, SelectorProvider peers) {
        this.provider = provider;
        this.peers = peers;
    }

    /** Two channels that are connected, and the listener between them. */
    record Pair(SocketChannel client, SocketChannel server, ServerSocketChannel listener) {}

    String trace() {
        return trace.toString();
    }

    /** Records {@code what}. */
    void note(Object what) {
        trace.append(show(what)).append('\n');
    }

    /** Does one operation, and records its result, or the class of its exception. */
    void op(String name, Callable<?> operation) {
        note(name + " " + outcome(operation));
    }

    /** Returns the result of an operation, or the class of its exception. */
    static String outcome(Callable<?> operation) {
        try {
            return show(operation.call());
        } catch (Exception | Error e) {
            return "throws " + e.getClass().getName();
        }
    }

    private static String show(Object value) {
        return switch (value) {
            case null -> "null";
            case InetSocketAddress address -> address.getAddress() + (address.getPort() == 0 ? ":0" : ":port");
            case InetAddress address -> address.getHostAddress();
            case AutoCloseable resource -> "a resource";
            default -> value.toString();
        };
    }

    <R extends AutoCloseable> R closing(R resource) {
        open.add(resource);
        return resource;
    }

    SelectorProvider provider() {
        return provider;
    }

    SocketChannel channel() throws IOException {
        return closing(provider.openSocketChannel());
    }

    Selector selector() throws IOException {
        return closing(provider.openSelector());
    }

    /** Returns a listener at any port, for channels of the case to connect to. */
    ServerSocketChannel listener() throws IOException {
        return listening(closing(peers.openServerSocketChannel()));
    }

    /**
     * Binds {@code listener} to any port. One of another provider is made known to ours as plain: the connections by
     * which it found out are taken out of the queue, so that the case accepts its own alone.
     */
    private ServerSocketChannel listening(ServerSocketChannel listener) throws IOException {
        listener.bind(anyPort());
        if (!peers.equals(provider)) {
            channel().connect(listener.getLocalAddress());
            listener.configureBlocking(false);
            try (Selector selector = peers.openSelector()) {
                listener.register(selector, SelectionKey.OP_ACCEPT);
                for (int taken = 0; taken < ASKING && selector.select(LATE_MILLIS) > 0; taken++) {
                    closing(Objects.requireNonNull(listener.accept()));
                    selector.selectedKeys().clear();
                }
            }
            listener.configureBlocking(true);
        }
        return listener;
    }

    /** Tells whether the case is none for peers of another provider, since it needs a listener of its own. */
    boolean isSkipped() {
        return skipped;
    }

    /** Returns a listener of the provider that is not bound. */
    ServerSocketChannel unbound() throws IOException {
        if (!peers.equals(provider)) {
            skipped = true;
            throw new IllegalStateException("our listeners are none of other peers");
        }
        return closing(provider.openServerSocketChannel());
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Returns an address where nobody listens. */
    InetSocketAddress nobody() throws IOException {
        // Whoever is bound and does not listen refuses, and keeps the port from others.
        SocketChannel bound = closing(SocketChannel.open()).bind(anyPort());
        return (InetSocketAddress) bound.getLocalAddress();
    }

    /** Returns an address where who connects is neither accepted nor refused. */
    SocketAddress nowhere() throws IOException {
        ServerSocket full = closing(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        for (int i = 0; i < FILLING; i++) {
            SocketChannel filling = closing(SocketChannel.open());
            filling.configureBlocking(false);
            filling.connect(full.getLocalSocketAddress());
        }
        return full.getLocalSocketAddress();
    }

    Pair pair() throws IOException {
        ServerSocketChannel listener = listener();
        SocketChannel client = channel();
        client.connect(listener.getLocalAddress());
        return new Pair(client, closing(Objects.requireNonNull(listener.accept())), listener);
    }

    /** Returns a pair that takes little while nobody reads. */
    Pair smallPair() throws IOException {
        ServerSocketChannel listener = closing(peers.openServerSocketChannel());
        listening(listener.setOption(StandardSocketOptions.SO_RCVBUF, SMALL));
        SocketChannel client = channel();
        client.setOption(StandardSocketOptions.SO_SNDBUF, SMALL).setOption(StandardSocketOptions.SO_RCVBUF, SMALL);
        client.connect(listener.getLocalAddress());
        SocketChannel server = closing(Objects.requireNonNull(listener.accept()));
        return new Pair(client, server.setOption(StandardSocketOptions.SO_SNDBUF, SMALL), listener);
    }

    static ByteBuffer octets(int count) {
        ByteBuffer octets = ByteBuffer.allocate(count);
        while (octets.hasRemaining()) {
            octets.put((byte) octets.position());
        }
        return octets.flip();
    }

    /** Reads {@code count} bytes, blocking or not, and returns them; fewer before the end. */
    static ByteBuffer take(SocketChannel channel, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        long begun = System.nanoTime();
        while (target.hasRemaining() && channel.read(target) >= 0) {
            requireTime(begun);
        }
        return target.flip();
    }

    static void requireTime(long begun) {
        if (System.nanoTime() - begun > DEADLINE_NANOS) {
            throw new IllegalStateException("it takes too long");
        }
        LockSupport.parkNanos(LOOK_NANOS);
    }

    /** Waits until there is something to read, or the end; leaves the channel as it was. */
    void awaitReadable(SocketChannel channel) throws IOException {
        boolean blocking = channel.isBlocking();
        channel.configureBlocking(false);
        try (Selector selector = provider.openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            select(selector, key, SelectionKey.OP_READ);
        }
        channel.configureBlocking(blocking);
    }

    /** Selects until {@code key} is selected for {@code ops}, which stay selected. */
    static void select(Selector selector, SelectionKey key, int ops) throws IOException {
        long begun = System.nanoTime();
        while (!selector.selectedKeys().contains(key) || (key.readyOps() & ops) != ops) {
            requireTime(begun);
            selector.select(1000);
        }
    }

    /** Records what a channel says of itself. */
    void state(SocketChannel channel) {
        note("open " + channel.isOpen() + " connected " + channel.isConnected() + " pending "
                + channel.isConnectionPending() + " blocking " + channel.isBlocking() + " registered "
                + channel.isRegistered());
    }

    /** Records what {@code key} says of itself. */
    void state(String name, SelectionKey key) {
        note(name + " valid " + key.isValid() + " interest " + outcome(() -> ops(key.interestOps())) + " ready "
                + outcome(() -> ops(key.readyOps())));
    }

    static String ops(int ops) {
        StringBuilder all = new StringBuilder();
        all.append((ops & SelectionKey.OP_ACCEPT) != 0 ? "A" : "");
        all.append((ops & SelectionKey.OP_CONNECT) != 0 ? "C" : "");
        all.append((ops & SelectionKey.OP_READ) != 0 ? "R" : "");
        all.append((ops & SelectionKey.OP_WRITE) != 0 ? "W" : "");
        return all.isEmpty() ? "none" : all.toString();
    }

    /** Begins an operation that a thread of its own does. */
    Running start(Callable<?> operation) {
        return closing(new Running(operation, false));
    }

    /** Begins an operation that a virtual thread does. */
    Running startVirtual(Callable<?> operation) {
        return closing(new Running(operation, true));
    }

    /** Closes all that was opened, the last first, whatever comes of it. */
    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.removeLast().close();
            } catch (Exception e) {
                // What is wrong with it shows in the trace, or is no part of the case.
            }
        }
    }

    /** Closes {@code channel} with what it has not sent, and tells its peer. */
    static void abort(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    static <C extends SelectableChannel> C nonBlocking(C channel) throws IOException {
        channel.configureBlocking(false);
        return channel;
    }
}
