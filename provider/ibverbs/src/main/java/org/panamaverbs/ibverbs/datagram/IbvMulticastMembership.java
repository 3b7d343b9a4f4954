package org.panamaverbs.ibverbs.datagram;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.MulticastMembership;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.post.IbvAddressHandle;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.ManagedResource;

/** A queue pair in a multicast group. */
final class IbvMulticastMembership extends ManagedResource implements MulticastMembership {
    private static final int LEAVE_SECONDS = 10;

    private final CmId id;
    private final GroupJoin join;
    private final IbvQueuePair queuePair;
    private final CmEvent.UdParameters parameters;
    private final IbvAddressHandle addressHandle;
    private volatile boolean lost;

    /** Takes over {@code id}, which has joined, and {@code addressHandle}; keeps the queue pair from being closed. */
    IbvMulticastMembership(
            CmId id,
            GroupJoin join,
            IbvQueuePair queuePair,
            CmEvent.UdParameters parameters,
            IbvAddressHandle addressHandle) {
        super(
                "membership of " + queuePair.resourceName() + " in "
                        + join.group().getHostAddress(),
                queuePair);
        this.id = id;
        this.join = join;
        this.queuePair = queuePair;
        this.parameters = parameters;
        this.addressHandle = addressHandle;
    }

    /** Follows the group, attaches the queue pair, and returns this. */
    IbvMulticastMembership attached() {
        id.deliverTo(this, (reachable, event) -> {
            if (event.type() == CmEventType.MULTICAST_ERROR || event.type().isEnd()) {
                reachable.lost = true;
            }
        });
        join.attach(parameters);
        return this;
    }

    /** Closes the membership for who made it in vain; should that fail, the queue pair does before it closes. */
    void closeWithOwner() {
        closeOrLeave();
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public InetAddress group() {
        return join.group();
    }

    @Override
    public AddressHandle addressHandle() {
        return addressHandle;
    }

    @Override
    public int qpNumber() {
        return parameters.qpNumber();
    }

    @Override
    public int qkey() {
        return parameters.qkey();
    }

    @Override
    public int lid() {
        return parameters.address().lid();
    }

    @Override
    public boolean isJoined() {
        return !lost && isOpen();
    }

    @Override
    protected void destroy() {
        join.undo(Deadline.in(LEAVE_SECONDS, TimeUnit.SECONDS));
        id.end(resourceName(), LEAVE_SECONDS);
        addressHandle.closeWithOwner();
    }
}
