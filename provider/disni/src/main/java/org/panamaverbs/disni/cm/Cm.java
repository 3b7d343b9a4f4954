package org.panamaverbs.disni.cm;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.disni.objects.Device;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.Pd;
import org.panamaverbs.disni.objects.Qp;
import org.panamaverbs.disni.objects.QueuePairs;
import org.panamaverbs.spi.support.HostNames;

/** DiSNI's connection manager, over the blocking calls of the verbs API. */
public final class Cm extends RdmaCm {
    private static final int OK = 0;
    // asm-generic/errno.h
    private static final int ETIMEDOUT = 110;
    private static final int EHOSTUNREACH = 113;

    private final Device device;
    private final AtomicInteger numbers = new AtomicInteger();

    public Cm(Device device) {
        this.device = device;
    }

    /** Makes a channel, and opens the device if it is not open: an application learns here that there is none. */
    @Override
    public RdmaEventChannel createEventChannel() throws IOException {
        device.context();
        return new EventChannel(numbers.incrementAndGet());
    }

    @Override
    public int destroyEventChannel(RdmaEventChannel cmChannel) throws IOException {
        Failures.own("destroyEventChannel", EventChannel.class, cmChannel).destroy();
        return OK;
    }

    @Override
    public RdmaCmId createId(RdmaEventChannel cmChannel, short portSpace) throws IOException {
        EventChannel channel = Failures.own("createId", EventChannel.class, cmChannel);
        channel.requireOpen("createId");
        if (portSpace != RDMA_PS_TCP) {
            throw Failures.unsupported(
                    "createId",
                    "port space 0x" + Integer.toHexString(portSpace)
                            + "; DiSNI has reliable connections alone, RDMA_PS_TCP");
        }
        return new CmId(channel);
    }

    @Override
    public IbvQP createQP(RdmaCmId id, IbvPd pd, IbvQPInitAttr attributes) throws IOException {
        CmId own = Failures.own("createQP", CmId.class, id);
        own.context("createQP");
        if (own.getQp() != null && own.getQp().isOpen()) {
            throw Failures.unsupported("createQP", "the id has a queue pair: destroy it first");
        }
        Qp qp = QueuePairs.create(Failures.own("createQP", Pd.class, pd), attributes);
        own.qp(qp);
        return qp;
    }

    @Override
    public int destroyQP(RdmaCmId id) throws IOException {
        Failures.own("destroyQP", CmId.class, id).qp("destroyQP").destroy();
        return OK;
    }

    @Override
    public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
        CmId own = Failures.own("bindAddr", CmId.class, id);
        InetSocketAddress local = address("bindAddr", address);
        own.bind(
                device.context(),
                Failures.call("bindAddr", () -> HostNames.resolved("bindAddr", local, Setup.deadline())));
    }

    @Override
    public void listen(RdmaCmId id, int backlog) throws IOException {
        Failures.own("listen", CmId.class, id).beginListening(backlog);
    }

    /**
     * Binds the id to the device, and looks names up within {@code timeout} milliseconds; whether the address can be
     * reached shows when it is connected to.
     */
    @Override
    public void resolveAddr(RdmaCmId id, @Nullable SocketAddress source, SocketAddress destination, int timeout)
            throws IOException {
        CmId own = Failures.own("resolveAddr", CmId.class, id);
        InetSocketAddress from = source == null ? null : address("resolveAddr", source);
        InetSocketAddress to = address("resolveAddr", destination);
        InetSocketAddress peer;
        InetSocketAddress local;
        try {
            Deadline deadline = Deadline.in(Math.max(0, timeout), TimeUnit.MILLISECONDS);
            peer = HostNames.resolved("resolveAddr", to, deadline);
            local = from == null ? null : HostNames.resolved("resolveAddr", from, deadline);
        } catch (VerbsException e) {
            own.channel()
                    .add(CmEvent.addressError(
                            own, e instanceof DeadlineExceededException ? -ETIMEDOUT : -EHOSTUNREACH));
            if (Setup.isForEndpoint()) {
                throw Failures.of("resolveAddr", e);
            }
            return;
        }
        own.resolve(device.context(), local, peer);
        own.channel().add(CmEvent.of(EventType.RDMA_CM_EVENT_ADDR_RESOLVED, own));
    }

    @Override
    public void resolveRoute(RdmaCmId id, int timeout) throws IOException {
        CmId own = Failures.own("resolveRoute", CmId.class, id);
        own.context("resolveRoute");
        if (own.destination() == null) {
            throw Failures.unsupported("resolveRoute", "no destination: call resolveAddr first");
        }
        own.channel().add(CmEvent.of(EventType.RDMA_CM_EVENT_ROUTE_RESOLVED, own));
    }

    @Override
    public @Nullable RdmaCmEvent getCmEvent(RdmaEventChannel cmChannel, int timeout) throws IOException {
        return Failures.own("getCmEvent", EventChannel.class, cmChannel).take(timeout);
    }

    /** Does nothing: an event is nobody's but the application's once it is taken. */
    @Override
    public int ackCmEvent(RdmaCmEvent event) {
        return OK;
    }

    /**
     * Begins to connect; events tell how it goes. One of DiSNI's endpoints hears of nothing but success, so that for it
     * this waits, and throws what went wrong.
     */
    @Override
    public void connect(RdmaCmId id, RdmaConnParam parameters) throws IOException {
        CmId own = Failures.own("connect", CmId.class, id);
        Verbs verbs = own.context("connect").verbs();
        InetSocketAddress to = own.destination();
        if (to == null) {
            throw Failures.unsupported("connect", "no destination: call resolveAddr and resolveRoute first");
        }
        QueuePair pair = own.qp("connect").queuePair();
        ConnectionConfig config = Setup.config(parameters, verbs.capabilities(), own.source());
        Deadline deadline = Setup.deadline();
        own.setUp("connect", () -> verbs.connect(to, pair, config, deadline), Setup.isForEndpoint(), false);
    }

    /**
     * Begins to accept; events tell how it goes. If it fails, one of DiSNI's endpoints is told that it is disconnected
     * as well: a server goes on with its next peer.
     */
    @Override
    public void accept(RdmaCmId id, RdmaConnParam parameters) throws IOException {
        CmId own = Failures.own("accept", CmId.class, id);
        Verbs verbs = own.context("accept").verbs();
        ConnectionRequest request = own.request();
        if (request == null) {
            throw Failures.unsupported("accept", "the id is no request of a peer: take that of a CONNECT_REQUEST");
        }
        QueuePair pair = own.qp("accept").queuePair();
        ConnectionConfig config = Setup.config(parameters, verbs.capabilities(), null);
        Deadline deadline = Setup.deadline();
        own.setUp("accept", () -> request.accept(pair, config, deadline), false, Setup.isForEndpoint());
    }

    @Override
    public int disconnect(RdmaCmId id) throws IOException {
        Failures.own("disconnect", CmId.class, id).endConnection();
        return OK;
    }

    @Override
    public int destroyCmId(RdmaCmId id) throws IOException {
        Failures.own("destroyCmId", CmId.class, id).destroy();
        return OK;
    }

    /** Destroys the queue pair of {@code id}, if it has one, and the id. */
    @Override
    public int destroyEp(RdmaCmId id) throws IOException {
        CmId own = Failures.own("destroyEp", CmId.class, id);
        if (own.getQp() != null && own.getQp().isOpen()) {
            own.qp("destroyEp").destroy();
        }
        own.destroy();
        return OK;
    }

    @Override
    public @Nullable SocketAddress getSrcAddr(RdmaCmId id) throws IOException {
        return Failures.own("getSrcAddr", CmId.class, id).source();
    }

    @Override
    public @Nullable SocketAddress getDstAddr(RdmaCmId id) throws IOException {
        return Failures.own("getDstAddr", CmId.class, id).destination();
    }

    private static InetSocketAddress address(String operation, SocketAddress address) throws IOException {
        return Failures.own(operation, InetSocketAddress.class, address);
    }
}
