package org.panamaverbs.sockets.stream;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.sockets.rsocket.ConnectData;

/**
 * Accepts streams: each request is answered by the {@link Driver}, and what is established waits to be taken. A peer
 * that is no rsocket is rejected. As many as the backlog are under way or wait; others wait in the device's own
 * backlog.
 */
public final class StreamListener implements EventTarget {
    private static final Logger LOG = System.getLogger(StreamListener.class.getName());

    private static final long SETUP_SECONDS = 20;
    private static final byte[] NOTHING = {};

    private final Verbs verbs;
    private final ProtectionDomain domain;
    private final Driver driver;
    private final Listener listener;
    private final InetSocketAddress localAddress;
    private final int backlog;
    private final StreamSizes sizes;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // The rest is guarded by the lock, which is never held where a stream's is taken.

    private StreamObserver observer = () -> {};
    // Not guarded: only the thread that is told of requests counts them.
    private int strangers;
    private final Set<RdmaStream> underWay = new HashSet<>();
    private final ArrayDeque<RdmaStream> established = new ArrayDeque<>();
    private @Nullable IOException failure;
    private boolean paused;
    private boolean closed;

    StreamListener(
            Verbs verbs,
            ProtectionDomain domain,
            Driver driver,
            InetSocketAddress address,
            ListenerConfig config,
            StreamSizes sizes) {
        this.verbs = verbs;
        this.domain = domain;
        this.driver = driver;
        backlog = config.backlog();
        this.sizes = sizes;
        listener = verbs.listen(address, StreamParts.listening(verbs, config));
        localAddress = listener.localAddress();
        driver.listening(1);
        driver.events().add(listener, this);
    }

    /** Returns where it listens, also when it is closed. */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /** Has {@code newObserver} told when a stream can be taken, at first now: one may be there. */
    public void observe(StreamObserver newObserver) {
        lock.lock();
        try {
            observer = newObserver;
            newObserver.changed();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void happened(Event event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> accept(event.request());
            case FAILED -> {
                lock.lock();
                try {
                    failure = ConnectFailures.of(event.failure());
                    tell();
                } finally {
                    lock.unlock();
                }
            }
            default -> throw new IllegalStateException("unexpected event of a listener: " + event);
        }
    }

    private void accept(ConnectionRequest request) {
        byte[] data = request.privateData();
        String fault = ConnectData.fault(data);
        if (fault != null) {
            LOG.log(
                    strangers++ == 0 ? Level.INFO : Level.DEBUG,
                    request.remoteAddress() + " was rejected at " + localAddress + ", since it is not an"
                            + " rsocket: " + fault
                            + "; remedy: connect with sockets over RDMA, or with rsockets of librdmacm");
            driver.start(() -> reject(request));
            return;
        }
        // A peer on a host of the other order forgets how it sends messages if its own is not repeated.
        boolean bigEndian = ConnectData.decode(data).bigEndian();
        try (request;
                Resources scope = new Resources()) {
            StreamParts parts = scope.add(new StreamParts(verbs, domain, sizes));
            RdmaStream stream = new RdmaStream(driver, parts, bigEndian);
            stream.observe(() -> settled(stream));
            PendingConnection attempt = request.beginAccept(
                    parts.queuePair, parts.config(bigEndian), Deadline.in(SETUP_SECONDS, TimeUnit.SECONDS));
            scope.handOver();
            // In this order, as who closes a stream closes its attempt; it is this thread that is told of that.
            stream.begun(attempt);
            add(stream);
        } catch (ConnectionException e) {
            LOG.log(Level.DEBUG, "a peer disconnected before its rsocket was accepted", e);
        }
    }

    private static void reject(ConnectionRequest request) {
        try (request) {
            request.reject(NOTHING);
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "a peer that is not an rsocket disconnected before it was rejected", e);
        }
    }

    private void add(RdmaStream stream) {
        lock.lock();
        try {
            if (!closed) {
                underWay.add(stream);
                if (underWay.size() + established.size() >= backlog) {
                    driver.events().remove(listener);
                    paused = true;
                }
                return;
            }
        } finally {
            lock.unlock();
        }
        stream.close(0);
    }

    /** Goes on taking requests if there is room for them; under the lock. */
    private void resume() {
        if (paused && !closed && underWay.size() + established.size() < backlog) {
            paused = false;
            driver.events().add(listener, this);
        }
    }

    /** Is told by a stream under way, under its lock. */
    private void settled(RdmaStream stream) {
        if (!stream.isSetUp()) {
            return;
        }
        boolean kept = stream.isConnected();
        lock.lock();
        try {
            if (!underWay.remove(stream)) {
                return;
            }
            kept &= !closed;
            if (kept) {
                established.add(stream);
                tell();
            } else {
                resume();
            }
        } finally {
            lock.unlock();
        }
        if (!kept) {
            stream.close(0);
        }
    }

    /** Tells whether {@link #poll} would give a stream or throw. */
    public boolean isAcceptable() {
        lock.lock();
        try {
            return !established.isEmpty() || failure != null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a stream that is established.
     *
     * @return null if there is none
     * @throws IOException if it hears nobody any more
     */
    public @Nullable RdmaStream poll() throws IOException {
        lock.lock();
        try {
            RdmaStream stream = established.poll();
            if (stream == null && failure != null) {
                throw failure;
            }
            resume();
            return stream;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until it {@link #isAcceptable}, closed, or {@code nanos} have passed; never passing if negative. An
     * interrupt ends it.
     */
    public void await(long nanos) {
        long deadline = System.nanoTime() + nanos;
        lock.lock();
        try {
            while (!isAcceptable() && !closed) {
                if (nanos < 0) {
                    changed.await();
                    continue;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Stops listening; streams that nobody has taken are closed. */
    public void close() {
        List<RdmaStream> left;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            left = new ArrayList<>(underWay);
            left.addAll(established);
            underWay.clear();
            established.clear();
            tell();
        } finally {
            lock.unlock();
        }
        listener.close();
        driver.listening(-1);
        left.forEach(stream -> stream.close(0));
    }

    private void tell() {
        changed.signalAll();
        observer.changed();
    }
}
