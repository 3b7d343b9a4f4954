package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.sockets.stream.Driver;
import org.panamaverbs.sockets.stream.RdmaStream;
import org.panamaverbs.sockets.stream.StreamDevice;
import org.panamaverbs.sockets.stream.StreamListener;
import org.panamaverbs.sockets.tcp.Family;
import org.panamaverbs.sockets.tcp.SocketOptions;
import org.panamaverbs.sockets.tcp.Tcp;

/** A channel that listens over RDMA; as the contract of {@link ServerSocketChannel} says. */
public final class RdmaServerSocketChannel extends AdaptedServerSocketChannel {
    private static final int DEFAULT_BACKLOG = 50;

    private final StreamDevice device;
    private final Tcp tcp;
    private final Family family;
    private final SocketOptions options;

    /** Held by a thread that accepts, also while it waits. */
    private final ReentrantLock acceptLock = new ReentrantLock();

    private final Object stateLock = new Object();
    private volatile @Nullable StreamListener listener;

    /** Creates a channel that is not bound. */
    public RdmaServerSocketChannel(SelectorProvider provider, StreamDevice device, Tcp tcp, Family family)
            throws IOException {
        super(provider);
        this.device = device;
        this.tcp = tcp;
        this.family = family;
        options = tcp.rdmaListener();
    }

    @Override
    ServerSocket makeAdaptor() {
        return RdmaServerSocket.of(this);
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
        synchronized (stateLock) {
            requireOpen();
            if (listener != null) {
                throw new AlreadyBoundException();
            }
            ListenerConfig config = ListenerConfig.defaults()
                    .withBacklog(backlog < 1 ? DEFAULT_BACKLOG : backlog)
                    .withReuseAddress(options.reuseAddress())
                    .withIpv4Only(family == Family.IPV4);
            StreamListener its = device.listen(family.local(local), config, options.sizes());
            listener = its; // is asked by who is told
            its.observe(keys);
        }
        return this;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        options.check(name, value);
        requireOpen();
        options.set(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        options.check(name);
        requireOpen();
        return options.get(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        acceptLock.lock();
        try {
            return accept(isBlocking(), Timeouts.NEVER);
        } finally {
            acceptLock.unlock();
        }
    }

    @Override
    @Nullable
    RdmaSocketChannel accept(boolean wait, long nanos) throws IOException {
        acceptLock.lock();
        try {
            requireOpen();
            StreamListener its = listener;
            if (its == null) {
                throw new NotYetBoundException();
            }
            RdmaStream accepted = null;
            try {
                if (wait) {
                    begin();
                    if (isOpen()) {
                        its.await(nanos);
                    }
                }
                accepted = isOpen() ? its.poll() : null;
            } finally {
                if (wait) {
                    ended(accepted);
                }
            }
            return accepted == null ? null : channel(accepted);
        } finally {
            acceptLock.unlock();
        }
    }

    @Override
    void await(long nanos) {
        StreamListener its = listener;
        if (its != null) {
            its.await(nanos);
        }
    }

    private RdmaSocketChannel channel(RdmaStream accepted) throws IOException {
        SocketOptions its = tcp.rdmaStream();
        its.inherit(options);
        return new RdmaSocketChannel(provider(), device, tcp, its, accepted);
    }

    /** Ends a wait. A stream that came with an interrupt is closed, as nobody gets it. */
    private void ended(@Nullable RdmaStream accepted) throws AsynchronousCloseException {
        try {
            end(accepted != null);
        } catch (AsynchronousCloseException e) {
            if (accepted != null) {
                accepted.close(0);
            }
            throw e;
        }
    }

    @Override
    @Nullable
    InetSocketAddress local() {
        StreamListener its = listener;
        return its == null ? null : its.localAddress();
    }

    @Override
    protected void implCloseSelectableChannel() {
        synchronized (stateLock) {
            if (listener != null) {
                listener.close();
            }
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        acceptLock.lock();
        try {
            requireOpen();
        } finally {
            acceptLock.unlock();
        }
    }

    @Override
    public int ready(int interest) {
        StreamListener its = listener;
        boolean acceptable = (interest & SelectionKey.OP_ACCEPT) != 0 && its != null && isOpen() && its.isAcceptable();
        return acceptable ? SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public Driver driver() {
        return device.driver();
    }

    @Override
    public String toString() {
        return "RdmaServerSocketChannel[" + (isOpen() ? local() == null ? "unbound" : local() : "closed") + "]";
    }
}
