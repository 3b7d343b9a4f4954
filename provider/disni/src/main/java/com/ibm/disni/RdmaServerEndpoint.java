package com.ibm.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCRegMr;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint that listens, and gives one for each peer: stands in for DiSNI's class of this name, whose
 * {@link #accept} waits for ever where the endpoint or its group is closed meanwhile. Written from DiSNI's public
 * contract; it counts because its jar comes first on the class path. Any thread.
 *
 * @param <C> the endpoints of its group
 */
@NullMarked
public class RdmaServerEndpoint<C extends RdmaEndpoint> {
    private static final int ACCESS =
            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ;

    private enum State {
        INITIALIZED,
        READY_FOR_ACCEPT,
        CLOSED
    }

    /** The number of the endpoint in its group. */
    protected int endpointId;

    /** The domain of its memory, null before {@link #bind}. */
    protected @Nullable IbvPd pd;

    /** What listens. */
    protected RdmaCmId idPriv;

    /** The rights of memory that is registered here. */
    protected int access;

    private final RdmaEndpointGroup<C> group;

    // The rest is guarded by this, which is never held where the group's monitor is taken: the group closes its
    // endpoints with that.
    private final ArrayDeque<C> requested = new ArrayDeque<>();
    private State state = State.INITIALIZED;
    // Why it has ended, for messages; empty before.
    private String end = "";
    // Whether close has given back what it holds, or is about to.
    private boolean released;

    /** Makes the endpoint of {@code group}, which calls this. */
    public RdmaServerEndpoint(RdmaEndpointGroup<C> group, RdmaCmId idPriv) {
        endpointId = group.getNextId();
        this.group = group;
        this.idPriv = idPriv;
        access = ACCESS;
    }

    /**
     * Listens at {@code address}.
     *
     * @param backlog requests that may wait
     * @throws IOException if it listens already or is closed, or the address cannot be bound
     * @throws Exception what the group's protection domain fails with
     */
    public RdmaServerEndpoint<C> bind(SocketAddress address, int backlog) throws Exception {
        synchronized (this) {
            if (state != State.INITIALIZED) {
                throw new IOException("bind: the server endpoint " + (end.isEmpty() ? "was bound before" : end));
            }
            idPriv.bindAddr(address);
            idPriv.listen(backlog);
            state = State.READY_FOR_ACCEPT;
        }
        pd = group.createProtectionDomainRaw(this);
        return this;
    }

    /**
     * Waits for a peer, and accepts it.
     *
     * @throws IOException if the endpoint is not bound; if it is or was closed, by itself or with its group, or its
     *     device is gone; if the thread is interrupted; or what accepting the peer failed with
     */
    public C accept() throws IOException {
        C endpoint = next();
        try {
            endpoint.accept();
        } catch (Exception e) {
            throw new IOException(e);
        }
        return endpoint;
    }

    private synchronized C next() throws IOException {
        if (state == State.INITIALIZED) {
            throw new IOException("accept: the server endpoint is not bound; remedy: call bind before");
        }
        while (true) {
            if (state == State.CLOSED) {
                throw new IOException("accept: the server endpoint " + end + ", so no peer can come any more");
            }
            C endpoint = requested.poll();
            if (endpoint != null) {
                return endpoint;
            }
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("accept: interrupted", e);
            }
        }
    }

    /**
     * Takes an event of what listens; called by the group.
     *
     * @throws IOException if the peer's endpoint cannot be made
     */
    @SuppressWarnings("EnumOrdinal") // an event has the number that DiSNI gives its type
    public void dispatchCmEvent(RdmaCmEvent event) throws IOException {
        if (event.getEvent() == EventType.RDMA_CM_EVENT_CONNECT_REQUEST.ordinal()) {
            C endpoint = group.createEndpoint(event.getConnIdPriv());
            endpoint.dispatchCmEvent(event);
            synchronized (this) {
                if (state != State.CLOSED) {
                    requested.add(endpoint);
                    notifyAll();
                }
            }
        } else if (event.getEvent() == EventType.RDMA_CM_EVENT_DISCONNECTED.ordinal()
                || event.getEvent() == EventType.RDMA_CM_EVENT_DEVICE_REMOVAL.ordinal()) {
            end("was disconnected, or its device was removed");
        }
    }

    /** Ends the endpoint because of {@code why}, unless it has ended. */
    private synchronized void end(String why) {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            end = why;
            notifyAll();
        }
    }

    /**
     * Stops listening, and ends a call to {@link #accept} that waits. Closing again does nothing.
     *
     * @throws IOException if what listens cannot be closed
     * @throws InterruptedException never; DiSNI's own may
     */
    public void close() throws IOException, InterruptedException {
        synchronized (this) {
            if (released) {
                return;
            }
            released = true;
            end("was closed, by itself or with its group");
        }
        boolean done = false;
        try {
            idPriv.destroyId();
            group.unregisterServerEp(this);
            done = true;
        } finally {
            if (!done) {
                retry();
            }
        }
    }

    private synchronized void retry() {
        released = false;
    }

    /** Tells whether the endpoint listens. */
    public synchronized boolean isBound() {
        return state == State.READY_FOR_ACCEPT;
    }

    /** Tells whether the endpoint has ended. */
    public synchronized boolean isClosed() {
        return state == State.CLOSED;
    }

    /**
     * Returns where it listens.
     *
     * @throws Exception if what listens is closed
     */
    public @Nullable SocketAddress getSrcAddr() throws Exception {
        return idPriv.getSource();
    }

    /** Returns what listens. */
    public RdmaCmId getIdPriv() {
        return idPriv;
    }

    /** Returns the number of the endpoint in its group. */
    public int getEndpointId() {
        return endpointId;
    }

    /** Returns the domain of its memory, null before {@link #bind}. */
    public @Nullable IbvPd getPd() {
        return pd;
    }

    /**
     * Returns the call that registers {@code buffer}.
     *
     * @throws IOException if it is not bound
     */
    public SVCRegMr registerMemory(ByteBuffer buffer) throws IOException {
        IbvPd domain = pd;
        if (domain == null) {
            throw new IOException("registerMemory: the server endpoint is not bound; remedy: call bind before");
        }
        return domain.regMr(buffer, access);
    }

    /**
     * Ends the registration {@code memory}.
     *
     * @throws IOException if it cannot be ended
     */
    public void deregisterMemory(IbvMr memory) throws IOException {
        memory.deregMr().execute().free();
    }
}
