package org.panamaverbs.ibverbs.datagram;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.DatagramListener;
import org.panamaverbs.api.cm.DatagramPeer;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.cm.MulticastMembership;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.Dialogue;
import org.panamaverbs.ibverbs.cm.SidrStatus;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.ibverbs.connect.IbvListener;
import org.panamaverbs.ibverbs.post.IbvAddressHandle;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.HostNames;
import org.panamaverbs.spi.support.Limits;

/**
 * Datagrams and multicast through librdmacm, {@code RDMA_PS_UDP}: service ids are resolved to queue pairs (SIDR,
 * InfiniBand Architecture volume 1, §12.11), and groups are joined. An id serves one request or membership; queue pairs
 * are the application's, as with connections. All methods may be called by any thread.
 */
public final class IbvDatagrams {
    // rdma/ib_cm.h: IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE of 216 bytes less the 36 that rdma_cm uses
    private static final int MAX_REQUEST = 180;
    private static final String UNDONE = "the attempt was undone";

    private final CmContext manager;

    /** Creates the datagrams' side of the connection manager for the device of {@code manager}. */
    public IbvDatagrams(CmContext manager) {
        this.manager = manager;
    }

    /** Does what {@link org.panamaverbs.api.Verbs#connectDatagrams} says. */
    public DatagramPeer connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        IbvQueuePair ours = DatagramSteps.own(queuePair, manager.context());
        manager.limits().check(config);
        if (!config.retryTimes().equals(RetryTimes.defaults())) {
            throw new IllegalArgumentException(
                    "connectDatagrams: retryTimes apply to reliable connections only, since datagrams are never"
                            + " retransmitted; remedy: leave them at RetryTimes.defaults()");
        }
        Limits.checkPrivateData(config.privateData(), MAX_REQUEST);
        InetSocketAddress peer = HostNames.resolved("connectDatagrams", address, deadline);
        String wanted = "answer with the destination of datagrams at " + SocketAddresses.text(peer);
        ConnectionFailures failures = manager.failures("connectDatagrams", peer);
        CmId id = manager.channel().createForDatagrams(wanted);
        try {
            Dialogue dialogue = new Dialogue(manager, id, failures, deadline, wanted, UNDONE);
            dialogue.resolveAddress(peer, config);
            dialogue.resolveRoute();
            DatagramSteps.ready(ours, id, failures);
            ConnectionParameters request = ConnectionParameters.of(config);
            dialogue.call(
                    CmCalls.CONNECT,
                    arena -> CmCalls.CONNECT.status(
                            id.pointer(), request.encode(ours.number(), ours.isShared(), arena)));
            CmEvent answer = dialogue.await("the peer did not answer");
            if (answer.type() != CmEventType.ESTABLISHED) {
                throw refused(failures, answer);
            }
            CmEvent.UdParameters found = answer.requireDatagrams();
            InetSocketAddress local = manager.localAddress(id);
            InetSocketAddress remote = manager.remoteAddress(id);
            return Creation.of(
                    () -> DatagramSteps.handle(ours, found.address()),
                    handle -> new IbvDatagramPeer(
                            handle, found.qpNumber(), found.qkey(), local, remote, answer.privateData()),
                    IbvAddressHandle::closeWithOwner);
        } finally {
            id.discard(); // it has said all that it knows
        }
    }

    /** Does what {@link org.panamaverbs.api.Verbs#listenDatagrams} says. */
    public DatagramListener listen(InetSocketAddress address, ListenerConfig config) {
        DatagramSteps.requireDatagrams(manager.context());
        return new IbvDatagramListener(IbvListener.openForDatagrams(manager, address, config));
    }

    /** Does what {@link org.panamaverbs.api.Verbs#joinMulticast} says. */
    public MulticastMembership join(InetAddress group, QueuePair queuePair, MulticastConfig config, Deadline deadline) {
        IbvQueuePair ours = DatagramSteps.own(queuePair, manager.context());
        manager.capabilities().require(Feature.MULTICAST, manager.device());
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException(group.getHostAddress() + " is not a multicast address");
        }
        String wanted = "membership in " + group.getHostAddress();
        ConnectionFailures failures = manager.failures("joinMulticast", new InetSocketAddress(group, 0));
        return Creation.of(
                () -> Creation.of(
                        () -> manager.channel().createForDatagrams(wanted),
                        id -> Creation.of(
                                () -> new GroupJoin(id, group, config.sendOnly(), ours),
                                join -> {
                                    Dialogue dialogue = new Dialogue(manager, id, failures, deadline, wanted, UNDONE);
                                    return member(id, join, ours, joined(id, join, ours, config, dialogue, failures));
                                },
                                join -> join.undo(Deadline.in(1, TimeUnit.SECONDS))),
                        CmId::destroy),
                IbvMulticastMembership::attached,
                IbvMulticastMembership::closeWithOwner);
    }

    private static CmEvent.UdParameters joined(
            CmId id,
            GroupJoin join,
            IbvQueuePair queuePair,
            MulticastConfig config,
            Dialogue dialogue,
            ConnectionFailures failures) {
        InetAddress local = config.localAddress();
        if (local == null) {
            dialogue.resolveAddress(new InetSocketAddress(join.group(), 0), ConnectionConfig.defaults());
        } else {
            dialogue.bind(new InetSocketAddress(local, 0));
        }
        DatagramSteps.ready(queuePair, id, failures);
        CmEvent.UdParameters found = join.join(dialogue, failures);
        DatagramSteps.key(queuePair, found.qkey());
        return found;
    }

    private static IbvMulticastMembership member(
            CmId id, GroupJoin join, IbvQueuePair queuePair, CmEvent.UdParameters found) {
        return Creation.of(
                () -> DatagramSteps.handle(queuePair, found.address()),
                handle -> new IbvMulticastMembership(id, join, queuePair, found, handle),
                IbvAddressHandle::closeWithOwner);
    }

    private static VerbsException refused(ConnectionFailures failures, CmEvent answer) {
        // The kernel's cma_sidr_rep_handler() has the status of the answer in this event, or a negative error number.
        if (answer.type() != CmEventType.UNREACHABLE || answer.status() <= 0) {
            return failures.event(answer);
        }
        SidrStatus status = SidrStatus.of(answer.status());
        return new ConnectionException(
                failures.operation(),
                status.meaning(),
                "RDMA_CM_EVENT_UNREACHABLE for " + SocketAddresses.text(failures.address()) + " on device "
                        + failures.device() + ", service id resolution status " + answer.status() + " ("
                        + status.text() + ")",
                status == SidrStatus.REJECT ? answer.privateData() : new byte[0],
                null,
                null);
    }
}
