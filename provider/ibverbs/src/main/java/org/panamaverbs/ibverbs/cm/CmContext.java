package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_device;
import org.panamaverbs.bindings.rdmacm.rdma_cm_id;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.spi.support.Limits;

/**
 * What all connections, requests and listeners of one open device share: its channel, which is opened when it is needed
 * first, the queue pairs that are being connected, and what the device makes of them. It knows none of them. All
 * methods may be called by any thread.
 */
public final class CmContext implements AutoCloseable {
    private static final long CLOSE_SECONDS = 2;

    private final IbvContext context;
    private final Transport transport;
    private final boolean swappedDepths;
    private final Set<IbvQueuePair> claimed = ConcurrentHashMap.newKeySet();
    private @Nullable CmChannel channel;
    private boolean closed;

    /** Creates what the connections of {@code context}, which is {@code device}, share. */
    public CmContext(IbvContext context, DeviceInfo device) {
        this.context = context;
        transport = device.transport();
        swappedDepths = isIwarp() && !device.description().contains("cxgb");
    }

    /**
     * Ends the channel, after all connections, requests and listeners: they are children of the context, which refuses
     * to be closed while one is open, and does not come here before. What the kernel has not let go of after two
     * seconds ends later by itself.
     */
    @Override
    public void close() {
        @Nullable CmChannel open;
        synchronized (this) {
            closed = true;
            open = channel;
        }
        if (open != null) {
            open.close(Deadline.in(CLOSE_SECONDS, TimeUnit.SECONDS));
        }
    }

    /** Returns the channel, which is opened if it is not. */
    public synchronized CmChannel channel() {
        CmChannel open = channel;
        if (open == null) {
            if (closed) {
                throw new IllegalStateException("the connection manager of " + context.resourceName() + " is closed");
            }
            open = CmChannel.open(device());
            channel = open;
        }
        return open;
    }

    public IbvContext context() {
        return context;
    }

    /** Returns the device's name. */
    public String device() {
        return context.device();
    }

    public boolean isIwarp() {
        return transport == Transport.IWARP;
    }

    public boolean isInfiniBand() {
        return transport == Transport.INFINIBAND;
    }

    public Capabilities capabilities() {
        return context.capabilities();
    }

    public Limits limits() {
        return context.limits();
    }

    /**
     * Takes {@code queuePair} for one attempt.
     *
     * @throws IllegalStateException if another attempt has it, or it is not in state INIT
     * @throws UnsupportedOperationException if librdmacm has no connections of its type
     */
    public void claim(IbvQueuePair queuePair, String operation) {
        requireReliable(queuePair, operation);
        if (!claimed.add(queuePair)) {
            throw new IllegalStateException(queuePair.resourceName() + " is already being connected");
        }
        boolean fit = false;
        try {
            QueuePairState state = queuePair.state();
            fit = state == QueuePairState.INIT;
            if (!fit) {
                throw new IllegalStateException("cannot " + operation + " " + queuePair.resourceName()
                        + ": expected state INIT, as it was created, got " + state);
            }
        } finally {
            if (!fit) {
                unclaim(queuePair);
            }
        }
    }

    private static void requireReliable(IbvQueuePair queuePair, String operation) {
        String instead = switch (queuePair.config().type()) {
            case RC -> "";
            // librdmacm's rdma_create_id(): RDMA_PS_TCP and RDMA_PS_IB are IBV_QPT_RC
            case UC -> "connect it with QueuePair.modify and numbers that the peers exchange";
            case UD -> "use connectDatagrams and listenDatagrams";
            case RAW_PACKET -> "use QueuePair.flow to choose what it receives";
            case XRC_SEND, XRC_RECV ->
                "connect it with QueuePair.modify to an XrcReceiver, with numbers that the peers exchange";
            case DRIVER -> "change its state with QueuePair.modify";
        };
        if (!instead.isEmpty()) {
            throw new UnsupportedOperationException("cannot " + operation + " " + queuePair.resourceName() + ": it is "
                    + queuePair.config().type() + ", and rdma_create_id(3) has only connections of type RC; remedy: "
                    + instead);
        }
    }

    /** Gives {@code queuePair} back after an attempt. */
    public void unclaim(IbvQueuePair queuePair) {
        claimed.remove(queuePair);
    }

    /** Returns what says why {@code operation} with {@code address}, of which nothing was heard, failed. */
    public ConnectionFailures failures(String operation, InetSocketAddress address) {
        return new ConnectionFailures(operation, device(), isIwarp(), address, false);
    }

    /** Returns the depths that {@code event}, which ends a set-up, says were agreed on after {@code asked}. */
    public Negotiated negotiated(CmEvent event, ConnectionParameters asked) {
        // siw_cm.c: siw_cm_upcall() and irdma give IRD and ORD of this side, which the kernel's cma.c takes for the
        // other's, as Chelsio's driver gives them.
        int responder = swappedDepths ? event.initiatorDepth() : event.responderResources();
        int initiator = swappedDepths ? event.responderResources() : event.initiatorDepth();
        // MPA revision 1 says nothing (RFC 5044 §7.1), which the kernel shows as zeros; elsewhere zeros are meant.
        boolean silent = isIwarp() && responder == 0 && initiator == 0;
        if (silent) {
            return new Negotiated(asked.responderResources(), asked.initiatorDepth());
        }
        // On iWARP these are what the driver has made of it; elsewhere they are the peer's words.
        return isIwarp()
                ? new Negotiated(responder, initiator)
                : new Negotiated(responder, initiator, event.responderResources(), event.initiatorDepth());
    }

    /**
     * Has applications hear of an event of {@code type}, if it is one of those that they hear of: asynchronously, as it
     * answers nothing. Does not wait.
     *
     * @param source what it happened to; null for the device
     * @param name its name, for people
     */
    public void tell(CmEventType type, @Nullable Object source, String name) {
        switch (type) {
            case ADDR_CHANGE ->
                context.raise(
                        AsyncEvent.Type.ADDR_CHANGE,
                        source,
                        name + ": the hardware address of its network interface changed");
            case TIMEWAIT_EXIT ->
                context.raise(AsyncEvent.Type.TIMEWAIT_EXIT, source, name + ": all its packets have left the network");
            case DEVICE_REMOVAL ->
                context.raise(AsyncEvent.Type.DEVICE_REMOVAL, source, name + ": device " + device() + " was removed");
            default -> {
                // Who set up or uses the id hears of it.
            }
        }
    }

    /** Returns the address of {@code id}, which is bound. */
    public InetSocketAddress localAddress(CmId id) {
        @Nullable InetSocketAddress local = id.call(() -> SocketAddresses.local(id.pointer()));
        return Objects.requireNonNull(local, "an id that is bound has an address");
    }

    /** Returns the peer's address of {@code id}, which has one. */
    public InetSocketAddress remoteAddress(CmId id) {
        @Nullable InetSocketAddress remote = id.call(() -> SocketAddresses.remote(id.pointer()));
        return Objects.requireNonNull(remote, "an id with a peer has its address");
    }

    /** Returns the name of the device that {@code id} is bound to, null if it is not bound to one. */
    public @Nullable String deviceName(CmId id) {
        return id.call(() -> {
            MemorySegment verbs = rdma_cm_id.verbs(id.pointer());
            return verbs.address() == 0
                    ? null
                    : ibv_device.name(ibv_context.device(verbs)).getString(0);
        });
    }

    /** Returns what connections are, for people. */
    public String transport() {
        return (isIwarp() ? "iWARP" : isInfiniBand() ? "InfiniBand" : "RoCE") + " through librdmacm on " + device();
    }
}
