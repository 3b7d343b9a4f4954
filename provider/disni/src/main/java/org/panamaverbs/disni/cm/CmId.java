package org.panamaverbs.disni.cm;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.disni.objects.Context;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.Qp;

/**
 * What a connection, a listener or a request to connect is to DiSNI. Each has one virtual thread at most, which waits:
 * for the set-up and then for the end of the connection, or for requests.
 */
public final class CmId extends RdmaCmId implements CmEvent.Request {
    /** How long {@link #endConnection} takes at most, so that what was sent goes before its queue pair does. */
    private static final int DISCONNECT_SECONDS = 2;

    private final EventChannel channel;
    private final @Nullable ConnectionRequest request;
    // Which device has the request.
    private final @Nullable Context holder;
    private volatile @Nullable InetSocketAddress source;
    private volatile @Nullable InetSocketAddress destination;
    private volatile @Nullable Listener listener;
    private volatile @Nullable Connection connection;
    private boolean started;

    CmId(EventChannel channel) throws IOException {
        super(channel, null);
        this.channel = channel;
        request = null;
        holder = null;
        ps = RdmaCm.RDMA_PS_TCP;
    }

    private CmId(EventChannel channel, Context context, ConnectionRequest request, InetSocketAddress source)
            throws IOException {
        super(channel, context);
        this.channel = channel;
        this.request = request;
        this.source = source;
        destination = request.remoteAddress();
        holder = context;
        context.holds(request, "a request of " + request.remoteAddress());
        ps = RdmaCm.RDMA_PS_TCP;
    }

    EventChannel channel() {
        return channel;
    }

    /** Returns the device that it is bound to. */
    Context context(String operation) throws IOException {
        requireOpen(operation);
        return Failures.own(operation, Context.class, verbs);
    }

    void bind(Context context, @Nullable InetSocketAddress from) throws IOException {
        requireOpen("bindAddr");
        setVerbs(context);
        source = from;
    }

    void resolve(Context context, @Nullable InetSocketAddress from, InetSocketAddress to) throws IOException {
        requireOpen("resolveAddr");
        setVerbs(context);
        destination = to;
        if (from != null) {
            source = from;
        }
    }

    @Nullable
    InetSocketAddress source() {
        Connection connected = connection;
        Listener listening = listener;
        if (connected != null) {
            return connected.localAddress();
        }
        return listening != null ? listening.localAddress() : source;
    }

    @Nullable
    InetSocketAddress destination() {
        return destination;
    }

    @Nullable
    public ConnectionRequest request() {
        return request;
    }

    @Nullable
    public Connection connection() {
        return connection;
    }

    void qp(Qp qp) {
        setQp(qp);
    }

    /** Returns its queue pair. */
    Qp qp(String operation) throws IOException {
        if (qpObj == null) {
            throw Failures.closed(operation, "no queue pair: make it with createQP first; what it needs");
        }
        return Failures.own(operation, Qp.class, qpObj);
    }

    void beginListening(int backlog) throws IOException {
        Context context = context("listen");
        InetSocketAddress at = source;
        if (at == null) {
            throw Failures.unsupported("listen", "no address: call bindAddr first");
        }
        start("listen");
        ListenerConfig config = ListenerConfig.defaults().withBacklog(Math.max(1, backlog));
        Listener made = Failures.call("listen", () -> context.verbs().listen(at, config));
        listener = made;
        context.holds(made, "the listener at " + made.localAddress());
        Thread.ofVirtual().name("disni-listen-" + made.localAddress().getPort()).start(() -> hear(made, context));
    }

    private void hear(Listener from, Context context) {
        try {
            while (isOpen) {
                ConnectionRequest peer = from.poll(Deadline.never()).orElseThrow();
                CmId id = new CmId(channel, context, peer, from.localAddress());
                channel.add(CmEvent.request(this, id, peer.privateData()));
            }
        } catch (IllegalStateException e) {
            // The listener was closed.
            return;
        } catch (ConnectionException e) {
            post(() -> CmEvent.of(EventType.RDMA_CM_EVENT_DEVICE_REMOVAL, this));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sets the connection up by {@code attempt} on a thread of its own, tells of it and of its end.
     *
     * @param wait true to wait for it and throw if it fails, without an event then
     * @param endsOnFailure true to tell of an end, too, if it fails
     */
    void setUp(String operation, Supplier<Connection> attempt, boolean wait, boolean endsOnFailure) throws IOException {
        requireOpen(operation);
        start(operation);
        CompletableFuture<Void> established = new CompletableFuture<>();
        Thread.ofVirtual().name("disni-" + operation).start(() -> {
            Connection made;
            try {
                made = attempt.get();
            } catch (RuntimeException e) {
                if (!wait) {
                    post(() -> CmEvent.failed(this, e));
                }
                if (endsOnFailure) {
                    post(() -> CmEvent.of(EventType.RDMA_CM_EVENT_DISCONNECTED, this));
                }
                established.completeExceptionally(e);
                return;
            }
            watch(made, established);
        });
        if (wait) {
            await(operation, established);
        }
    }

    private void watch(Connection made, CompletableFuture<Void> established) {
        if (!take(made)) {
            made.close();
            established.completeExceptionally(new IllegalStateException("the id was destroyed meanwhile"));
            return;
        }
        post(() -> CmEvent.of(EventType.RDMA_CM_EVENT_ESTABLISHED, this, made.privateData()));
        established.complete(null);
        try {
            made.awaitDisconnect(Deadline.never());
        } catch (IllegalStateException e) {
            // Closed before it was waited for: the id is destroyed, and nobody is told.
            return;
        }
        post(() -> CmEvent.of(EventType.RDMA_CM_EVENT_DISCONNECTED, this));
    }

    private static void await(String operation, CompletableFuture<Void> established) throws IOException {
        try {
            established.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(operation + ": interrupted", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure
                    ? Failures.of(operation, failure)
                    : new IOException(operation, e.getCause());
        }
    }

    /** Has everything sent and the connection closed; a connection that is down stays so. */
    void endConnection() throws IOException {
        requireOpen("disconnect");
        Connection connected = connection;
        if (connected == null) {
            throw Failures.unsupported("disconnect", "the id is not connected");
        }
        try {
            connected.disconnect(Deadline.in(DISCONNECT_SECONDS, TimeUnit.SECONDS));
        } catch (VerbsException e) {
            // The peer did not follow; the connection was aborted, and its end is told by the event.
            return;
        } catch (RuntimeException e) {
            throw Failures.of("disconnect", e);
        }
    }

    /** Ends whatever it is; its events go with it. */
    void destroy() throws IOException {
        if (!destroyIfOpen()) {
            throw Failures.closed("destroyCmId", "the id");
        }
    }

    /** Ends the id as {@link #destroy} does, if it was open, and tells whether it was. */
    @Override
    public boolean destroyIfOpen() throws IOException {
        synchronized (this) {
            if (!isOpen) {
                return false;
            }
            isOpen = false;
        }
        channel.forget(this);
        Listener listening = listener;
        if (listening != null) {
            Failures.run("destroyCmId", listening::close);
            Failures.own("destroyCmId", Context.class, verbs).ended(listening);
        }
        Connection connected = connection;
        if (connected != null) {
            Failures.run("destroyCmId", connected::close);
            forgetRequest();
        } else if (request != null) {
            Thread.ofVirtual().name("disni-reject").start(() -> {
                reject(request);
                forgetRequest();
            });
        }
        return true;
    }

    private void forgetRequest() {
        if (request != null && holder != null) {
            holder.ended(request);
        }
    }

    /** A request that nobody answered is rejected, as {@code rdma_destroy_id(3)} does. */
    private static void reject(ConnectionRequest unanswered) {
        try {
            unanswered.reject(new byte[0]);
        } catch (VerbsException | IllegalStateException e) {
            // It was answered, or the peer is gone: there is nothing to reject.
            unanswered.close();
        }
    }

    private synchronized boolean take(Connection made) {
        if (isOpen) {
            connection = made;
        }
        return isOpen;
    }

    private synchronized void start(String operation) throws IOException {
        if (started) {
            throw Failures.unsupported(operation, "the id was used before: each connection and listener has its own");
        }
        started = true;
    }

    private void requireOpen(String operation) throws IOException {
        if (!isOpen) {
            throw Failures.closed(operation, "the id");
        }
    }

    private interface EventSource {
        CmEvent make() throws IOException;
    }

    private void post(EventSource source) {
        try {
            channel.add(source.make());
        } catch (IOException e) {
            // DiSNI's constructor asks for the provider, which is there.
            throw new UncheckedIOException(e);
        }
    }
}
