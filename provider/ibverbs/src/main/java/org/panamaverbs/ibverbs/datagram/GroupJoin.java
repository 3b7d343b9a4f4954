package org.panamaverbs.ibverbs.datagram;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.bindings.rdmacm.rdma_cm_join_mc_attr_ex;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.Dialogue;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;

/**
 * Joining a group on an id and attaching a queue pair, and both undone. Used by one thread at a time.
 *
 * <p>The id has no queue pair, so librdmacm leaves attaching to us: the queue pair is of another device handle.
 */
final class GroupJoin {
    // linux/errno.h: ENOTSUPP, which the kernel's cma_iboe_join_multicast() lets out
    private static final int ENOTSUPP = 524;
    private static final byte[] NO_GID = {};

    private final CmId id;
    private final InetAddress group;
    private final boolean sendOnly;
    private boolean joined;
    private byte[] attachedGid = NO_GID;
    private int attachedLid;
    private final IbvQueuePair queuePair;

    GroupJoin(CmId id, InetAddress group, boolean sendOnly, IbvQueuePair queuePair) {
        this.id = id;
        this.group = group;
        this.sendOnly = sendOnly;
        this.queuePair = queuePair;
    }

    InetAddress group() {
        return group;
    }

    /** Joins the group, and returns where the group's datagrams go. */
    CmEvent.UdParameters join(Dialogue dialogue, ConnectionFailures failures) {
        int errno = dialogue.errno(CmCalls.JOIN_MULTICAST, this::call);
        if (errno == ENOTSUPP || errno == Errno.EOPNOTSUPP) {
            throw new UnsupportedOperationException("rdma_join_multicast of " + group.getHostAddress() + " on device "
                    + failures.device() + ": " + Errno.describe(errno)
                    + "; remedy: join an IPv4 group on RoCE v2, where Linux has no IPv6 groups, and send and receive"
                    + " where the subnet manager lacks send-only members");
        }
        if (errno != 0) {
            throw failures.call(CmCalls.JOIN_MULTICAST.name(), errno);
        }
        joined = true;
        CmEvent event = dialogue.await("RDMA_CM_EVENT_MULTICAST_JOIN did not come");
        if (event.type() == CmEventType.MULTICAST_ERROR) {
            throw new ConnectionException(
                    failures.operation(),
                    Reason.UNREACHABLE,
                    "RDMA_CM_EVENT_MULTICAST_ERROR for " + group.getHostAddress() + " on device " + failures.device()
                            + ", status " + event.status() + " (" + Errno.describe(event.errno())
                            + "): the group cannot be joined; remedy: check the log of the subnet manager, which"
                            + " decides on InfiniBand",
                    null);
        }
        if (event.type() != CmEventType.MULTICAST_JOIN) {
            throw failures.event(event);
        }
        return event.requireDatagrams();
    }

    /** Attaches the queue pair, unless it only sends. */
    void attach(CmEvent.UdParameters parameters) {
        if (!sendOnly) {
            byte[] gid = parameters.address().gid();
            int lid = parameters.address().lid();
            queuePair.attachMulticast(gid, lid);
            attachedGid = gid;
            attachedLid = lid;
        }
    }

    /** Detaches and leaves as far as it came to that; can be called again if it throws. */
    void undo(Deadline deadline) {
        if (attachedGid.length != 0) {
            detach();
            attachedGid = NO_GID;
        }
        if (joined) {
            // An error says that the group or the device is gone; destroying the id leaves as well.
            id.perform(arena -> CmCalls.LEAVE_MULTICAST.status(id.pointer(), address(arena)), deadline);
            joined = false;
        }
    }

    private void detach() {
        try {
            queuePair.detachMulticast(attachedGid, attachedLid);
        } catch (ResourceException e) {
            // The application has detached it by itself, or the device is gone: the kernel's ib_uverbs_detach_mcast()
            if (e.errno() != Errno.EINVAL && e.errno() != Errno.EIO && e.errno() != Errno.ENODEV) {
                throw e;
            }
        }
    }

    private int call(Arena arena) {
        if (!sendOnly) {
            return CmCalls.JOIN_MULTICAST.status(id.pointer(), address(arena), MemorySegment.NULL);
        }
        MemorySegment attributes = rdma_cm_join_mc_attr_ex.allocate(arena);
        rdma_cm_join_mc_attr_ex.comp_mask(
                attributes, Rdmacm.RDMA_CM_JOIN_MC_ATTR_ADDRESS() | Rdmacm.RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS());
        rdma_cm_join_mc_attr_ex.addr(attributes, address(arena));
        rdma_cm_join_mc_attr_ex.join_flags(attributes, Rdmacm.RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER());
        return CmCalls.JOIN_MULTICAST_EX.status(id.pointer(), attributes, MemorySegment.NULL);
    }

    private MemorySegment address(Arena arena) {
        return SocketAddresses.encode(new InetSocketAddress(group, 0), arena);
    }
}
