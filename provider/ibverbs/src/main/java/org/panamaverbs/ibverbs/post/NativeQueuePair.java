package org.panamaverbs.ibverbs.post;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_qp;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.memory.ManagedResource;

/** The native queue pair: what its queues, its states and who knows of it share. It knows none of them. Any thread. */
public final class NativeQueuePair {
    private static final int UNKNOWN = -1;

    private final ManagedResource owner;
    private final Domain domain;
    private final QueuePairConfig config;
    private final MemorySegment handle;
    private final int number;
    // Reads and Atomics that may be outstanding, UNKNOWN where only the driver knows. Read behind sendable, and
    // written before it.
    private int initiatorDepth = UNKNOWN;
    // Whether it takes sends: from RTS on, until it is closed.
    private volatile boolean sendable;
    // Whether its device failed or was taken away; then it is in ERROR, and never sendable again.
    private volatile boolean lost;
    // The state that it is known to have entered last.
    private volatile QueuePairState entered = QueuePairState.RESET;

    /** Describes {@code handle}, a {@code struct ibv_qp} of {@code domain}, which {@code owner} destroys. */
    public NativeQueuePair(ManagedResource owner, Domain domain, QueuePairConfig config, MemorySegment handle) {
        this.owner = owner;
        this.domain = domain;
        this.config = config;
        this.handle = handle;
        number = ibv_qp.qp_num(handle);
    }

    /** Returns the queue pair of the application. */
    public ManagedResource owner() {
        return owner;
    }

    public Domain domain() {
        return domain;
    }

    public IbvContext context() {
        return domain.context();
    }

    public QueuePairConfig config() {
        return config;
    }

    /** Tells whether each send says where it goes to. */
    public boolean sendsDatagrams() {
        return config.type() == QueuePairType.UD || config.type() == QueuePairType.DRIVER;
    }

    /** Returns {@code struct ibv_qp}. */
    public MemorySegment handle() {
        return handle;
    }

    public int number() {
        return number;
    }

    /** Returns its name, for people. */
    public String resourceName() {
        return owner.resourceName();
    }

    public boolean isOpen() {
        return owner.isOpen();
    }

    public void requireOpen() {
        owner.requireOpen();
    }

    public boolean isSendable() {
        return sendable;
    }

    /** Takes no more sends, as it is being closed. */
    public void takeNoSends() {
        sendable = false;
    }

    /** Tells whether no Read or Atomic may ever be outstanding; asked by who has seen that it is sendable. */
    boolean lacksInitiatorDepth() {
        return initiatorDepth == 0;
    }

    /** Takes note of how many Reads and Atomics may be outstanding, before the state that this holds in. */
    public void initiatorDepth(int depth) {
        initiatorDepth = depth;
    }

    /** Tells whether its device failed or was taken away: what is posted then reaches nobody and never completes. */
    public boolean isLost() {
        return lost;
    }

    /** Takes note that its device failed or was taken away, and with it the queue pair. */
    public synchronized void lose() {
        lost = true;
        entered = QueuePairState.ERROR;
        sendable = false;
    }

    /** Returns why it takes no sends, a {@link PostStatus}; asked by who has seen that it does not. */
    int refusal() {
        return lost ? PostStatus.ofErrno(Errno.EIO) : PostStatus.NOT_CONNECTED;
    }

    /** Takes note that it is connected, unless a request has failed since it was ready to send. */
    public synchronized void connected() {
        if (entered != QueuePairState.ERROR) {
            entered(QueuePairState.RTS);
        }
    }

    /** Takes note of the state that it is in now: sends are taken from RTS on. */
    public synchronized void entered(QueuePairState state) {
        if (lost) {
            return;
        }
        if (state == QueuePairState.RESET) {
            initiatorDepth = UNKNOWN;
        }
        entered = state;
        sendable = state.compareTo(QueuePairState.RTS) >= 0;
    }

    /**
     * Tells whether a completion with an error says that it has entered ERROR, so that the state is known without a
     * command to the device; others may be in SQE then.
     */
    public boolean failsByCompletions() {
        return config.type() == QueuePairType.RC || config.type() == QueuePairType.XRC_SEND;
    }

    /** Takes note of a completion with an error: on a reliable connection it has entered ERROR then. */
    public void sawError() {
        if (failsByCompletions()) {
            entered(QueuePairState.ERROR);
        }
    }

    /**
     * Tells whether it is known to be in ERROR. Verbs has posts accepted then, and flushed; erdma_post_send() of
     * rdma-core refuses them with EIO, c4iw_post_send() with EINVAL, and both do so with receives.
     */
    boolean hasFailed() {
        return entered == QueuePairState.ERROR;
    }

    /** Returns the state that it is known to have entered last. */
    public QueuePairState entered() {
        return entered;
    }
}
