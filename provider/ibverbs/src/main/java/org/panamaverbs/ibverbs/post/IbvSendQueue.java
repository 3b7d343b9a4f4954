package org.panamaverbs.ibverbs.post;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.call.Ops;
import org.panamaverbs.ibverbs.call.RawMemory;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.completion.MarkerWait;
import org.panamaverbs.ibverbs.completion.Markers;
import org.panamaverbs.ibverbs.completion.WorkCounts;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.spi.support.WindowBinding;

/** The send queue of a queue pair: hands each request over at once. */
public final class IbvSendQueue extends PostTarget {
    private static final int ENOSPC = 28; // asm-generic/errno-base.h
    static final int ENOTCONN = 107; // asm-generic/errno.h

    private final Ops ops;
    // What posts where sends have their destinations set by a vendor's function, else null.
    private final @Nullable DestinedPosts destined;
    private final Gate gate;
    private final long queuePairAddress;
    // Of the memory of the requests.
    private final long badWr;
    // With the gate.
    private boolean batchOpen;
    private int errno;
    // Of the application's requests.
    private final SendCounts counts;
    private final Object windowMonitor = new Object();
    // Made for the first marker that is a bind, and in which life; under the monitor.
    private @Nullable MarkerWindow markerWindow;
    private int windowLife;

    /** Creates the queue; {@code done} counts what of it is done, {@code destined} posts if it is not null. */
    public IbvSendQueue(
            NativeQueuePair queuePair,
            SendRequests requests,
            Gate gate,
            MemorySegment badWr,
            WorkCounts done,
            @Nullable DestinedPosts destined) {
        super(queuePair, requests, gate);
        this.destined = destined;
        counts = new SendCounts(done, queuePair.config().signalAll());
        this.gate = gate;
        ops = queuePair.context().ops();
        queuePairAddress = queuePair.handle().address();
        this.badWr = badWr.address();
    }

    /**
     * Waits until all that was posted before has completed. Polls the completion queue where the application does not,
     * and keeps what it finds for it.
     *
     * @param sends where it completes
     * @param user who the queue pair is there
     */
    public Drained drain(IbvCompletionQueue sends, long user, Deadline deadline) {
        NativeQueuePair its = queuePair;
        // In state ERROR nothing is left that could leave, and siw completes nothing that is posted then.
        BooleanSupplier failed = () -> its.entered() == QueuePairState.ERROR || !its.isOpen();
        boolean reliable = its.config().type() == QueuePairType.RC;
        if (reliable && its.isLost()) {
            return isUnused() ? Drained.DONE : Drained.FAILED;
        }
        if (!reliable || !its.isSendable()) {
            return Drained.DONE;
        }
        Drained drained = failed.getAsBoolean() ? Drained.FAILED : await(sends, user, failed, deadline);
        return drained == Drained.FAILED && isUnused() ? Drained.DONE : drained;
    }

    private Drained await(IbvCompletionQueue sends, long user, BooleanSupplier failed, Deadline deadline) {
        if (!gate.enter()) {
            return Drained.FAILED;
        }
        int life = counts.life(); // before the others: if they are of another one, this has ended
        int signaled = counts.signaled();
        boolean endsSignaled = counts.endsSignaled();
        gate.leave();
        BooleanSupplier over = () -> failed.getAsBoolean() || counts.life() != life;
        // On iWARP a Write may complete before a Read that was posted earlier, and an empty one needs no right.
        if (!queuePair.context().isIwarp()) {
            boolean counted = endsSignaled && !sends.isLent();
            if (!counted && !hasWindow()) {
                counted = endsSignaled && !sends.isAdopted(); // rather than have the peer refuse a Write
            }
            if (counted) {
                return MarkerWait.await(sends, () -> counts.haveSucceeded(signaled, life), over, deadline);
            }
        }
        return MarkerWait.await(sends, user, id -> postMarker(life, id), over, deadline);
    }

    /** Makes the window whose binds are markers, unless there is one; tells whether there is one then. */
    private boolean hasWindow() {
        synchronized (windowMonitor) {
            if (counts.hasEnded()) {
                return false; // nobody would close it
            }
            int life = counts.life();
            MarkerWindow its = markerWindow;
            if (its != null && windowLife != life) {
                // A bind that was flushed leaves the library and the device with different keys.
                markerWindow = null;
                its.close();
                its = null;
            }
            if (its == null) {
                its = MarkerWindow.allocate(queuePair.domain().owner());
                markerWindow = its;
                windowLife = life;
            }
            return its != null;
        }
    }

    /** Tells whether the driver has taken nothing of the application yet. */
    private boolean isUnused() {
        if (!gate.enter()) {
            return false;
        }
        try {
            return counts.posted() == 0;
        } finally {
            gate.leave();
        }
    }

    /** Returns how many requests of the application the driver took: within the gate, or else as of a moment ago. */
    public long posted() {
        return counts.posted();
    }

    /** Returns how many bytes of payload left with them, as of a moment ago; any thread. */
    public long octets() {
        return counts.octets();
    }

    /** Returns how many calls of the driver took them, as of a moment ago; any thread. */
    public long calls() {
        return counts.calls();
    }

    /** Tells whether all requests are known to have succeeded, as far as completions were taken off. */
    public boolean allSucceeded() {
        return counts.allSucceeded();
    }

    /** Returns how many signaled requests have not succeeded, as far as completions were taken off. */
    public int unfinished() {
        return counts.unfinished();
    }

    /** Has all that was posted counted as done, also {@code receives}: the queue pair was reset. */
    public void startAnew(long receives) {
        counts.startAnew(receives);
    }

    /** Has all that was posted count as done for ever, as the native queue pair is destroyed. */
    public void end() {
        counts.end();
        try {
            queuePair.domain().closedHandles().sweep();
        } finally {
            synchronized (windowMonitor) {
                MarkerWindow its = markerWindow;
                markerWindow = null;
                if (its != null) {
                    its.close();
                }
            }
        }
    }

    /** Says whether a batch collects requests, which may not be overtaken. */
    void batchOpen(boolean open) {
        batchOpen = open;
    }

    @Override
    int enter() {
        if (!queuePair.isSendable()) {
            queuePair.requireOpen();
            return queuePair.refusal();
        }
        if (!gate.enter()) {
            queuePair.requireOpen();
        }
        if (batchOpen) {
            gate.leave();
            throw new IllegalStateException(
                    queuePair.resourceName() + " has an open batch; remedy: submit or discard it before another post");
        }
        return 0;
    }

    @Override
    int accepted(int slot) {
        return hand(requests.slots(), slot, slot + 1) == 1 ? PostStatus.ACCEPTED : status();
    }

    /**
     * Hands over the chain from {@code first} up to {@code end} of {@code slots}; the caller holds the gate.
     *
     * @return how many the driver took, from the first on; {@link #status} says why not all
     */
    int hand(SendSlots slots, int first, int end) {
        counts.hand(slots, first, end);
        int taken = ring(slots, first, end);
        if (taken == end - first) {
            counts.taken(taken);
        } else if (taken > 0) {
            counts.takenOf(slots, first, taken);
        }
        return taken;
    }

    private int ring(SendSlots slots, int first, int end) {
        RawMemory.putLong(badWr, 0);
        DestinedPosts its = destined;
        errno = its == null
                ? ops.postSend(queuePairAddress, slots.address(first), badWr)
                : its.post(slots.address(first), badWr);
        long refused = RawMemory.getLong(badWr);
        if (refused == 0) {
            // ibv_post_send(3): bad_wr is the first that was not posted. Where it stays empty all are in the ring,
            // even if ringing the doorbell failed, as it can on siw and rxe: the next one rings it again, or they are
            // flushed. Only what does not post at all names none.
            return Math.abs(errno) == Errno.EOPNOTSUPP ? 0 : end - first;
        }
        int slot = slots.slotOf(refused);
        return slot < first || slot >= end ? end - first : slot - first;
    }

    /** Returns why the last {@link #hand} did not take all, a negative {@link PostStatus}. */
    int status() {
        return errno == 0 ? PostStatus.QUEUE_FULL : refused(errno);
    }

    @Override
    void requireBindable(MemoryWindow.Type type) {
        // Both types are.
    }

    @Override
    int bindType1(long wrId, IbvMemoryWindow window, Region region, WindowBinding asked, int flags) {
        int slot = enter();
        if (slot < 0) {
            return SendRequests.flagFault(slot, flags);
        }
        try {
            int fault = SendRequests.flagFault(PostStatus.ACCEPTED, flags);
            int status = fault;
            if (fault == PostStatus.ACCEPTED) {
                counts.hand((flags & SendFlag.SIGNALED) != 0, 0);
                errno = Type1Bind.bind(queuePair, wrId, window.window(), region, asked, flags);
                status = errno == 0 ? PostStatus.ACCEPTED : refused(errno);
                if (status == PostStatus.ACCEPTED) {
                    counts.taken(1);
                }
            }
            return status;
        } finally {
            gate.leave();
        }
    }

    /**
     * Begins a post by calls of its own, which the peer answers; {@link #end} or {@link #fail} ends it.
     *
     * @param fault what is wrong with it beside its flags, {@link PostStatus#ACCEPTED} for nothing
     * @param octets of payload
     * @return {@link PostStatus#ACCEPTED}, or why nothing is posted: then there is nothing to end
     */
    int begin(int flags, int fault, int octets) {
        int status = enter();
        if (status < 0) {
            return SendRequests.flagFault(fault == PostStatus.INVALID ? fault : status, flags);
        }
        status = requests.answeredFault(fault, flags);
        if (status != PostStatus.ACCEPTED) {
            gate.leave();
            return status;
        }
        counts.hand((flags & SendFlag.SIGNALED) != 0, octets);
        return PostStatus.ACCEPTED;
    }

    /** Ends a post that the driver answered with {@code answer}, 0 or an error number; returns the status of it. */
    int end(int answer) {
        errno = answer;
        int status = PostStatus.ACCEPTED;
        if (answer == 0) {
            counts.taken(1);
        } else {
            status = status();
        }
        gate.leave();
        return status;
    }

    /** Ends a post that has thrown. */
    void fail() {
        gate.leave();
    }

    /** As {@link #accepted}: the use is noted before, as it may fail in between. */
    @Override
    int acceptedTo(NativeAddressHandle handle, int slot) {
        NativeAddressHandle.Use use = handle.useBy(counts);
        long before = use.last;
        use.last = counts.posted() + 1;
        int status = accepted(slot);
        if (status != PostStatus.ACCEPTED) {
            use.last = before;
        }
        return status;
    }

    /** Returns the use of {@code handle} by this queue; the caller holds the handle's gate. */
    NativeAddressHandle.Use useOf(NativeAddressHandle handle) {
        return handle.useBy(counts);
    }

    /**
     * Posts the marker {@code id} if the queue pair was not reset since {@code life}: a bind of the window, or an empty
     * Write if there is none or it cannot be bound. The Write touches nothing of the peer and completes after all
     * before it. On InfiniBand and RoCE a peer that grants no Writes refuses it, which says the same: it took all
     * before it.
     *
     * @return a {@link PostStatus}
     */
    private int postMarker(int life, long id) {
        int flags = SendFlag.SIGNALED | SendFlag.FENCE;
        synchronized (windowMonitor) { // nobody closes the window meanwhile
            MarkerWindow window = markerWindow;
            int status = window == null ? PostStatus.INVALID : postBind(window, id, flags, life);
            boolean canBind = status == PostStatus.ACCEPTED
                    || status == PostStatus.QUEUE_FULL
                    || status == PostStatus.NOT_CONNECTED;
            return canBind ? status : postEmptyWrite(id, flags, life);
        }
    }

    private int postBind(MarkerWindow window, long id, int flags, int life) {
        if (!enterDuring(life)) {
            return PostStatus.NOT_CONNECTED;
        }
        try {
            int status;
            if (queuePair.context().quirks().repeatsBinds()) {
                SendSlots slots = requests.slots();
                slots.begin(0, id, SendRequests.IBV_WR_BIND_MW, flags, 0);
                window.write(slots, 0);
                status = ring(slots, 0, 1) == 1 ? PostStatus.ACCEPTED : status();
            } else {
                int answer = window.bind(queuePair, id, flags);
                status = answer == 0 ? PostStatus.ACCEPTED : refused(answer);
            }
            return status;
        } finally {
            gate.leave();
        }
    }

    /**
     * Posts the message that tells the accepting side that it may send (RFC 6581 §9.2), an empty Write.
     *
     * @return a {@link PostStatus}
     */
    public int postReady() {
        return postEmptyWrite(Markers.READY, 0, counts.life());
    }

    private int postEmptyWrite(long wrId, int flags, int life) {
        if (!enterDuring(life)) {
            return PostStatus.NOT_CONNECTED;
        }
        try {
            SendSlots slots = requests.slots();
            slots.begin(0, wrId, SendRequests.IBV_WR_RDMA_WRITE, flags, 0);
            slots.remote(0, 0, 0);
            return ring(slots, 0, 1) == 1 ? PostStatus.ACCEPTED : status();
        } finally {
            gate.leave();
        }
    }

    /** Enters the gate unless it is shut or the queue pair was reset since {@code life}. */
    private boolean enterDuring(int life) {
        if (!gate.enter()) {
            return false;
        }
        boolean same = counts.life() == life;
        if (!same) {
            gate.leave();
        }
        return same;
    }

    private int refused(int errno) {
        // siw answers with negative numbers, mthca with -1, EPERM negated, where the queue is full; ibv_wr_complete of
        // rxe with ENOSPC.
        int status = switch (Math.abs(errno)) {
            case Errno.EPERM, Errno.ENOMEM, ENOSPC -> PostStatus.QUEUE_FULL;
            case Errno.EMSGSIZE -> PostStatus.MESSAGE_TOO_LONG;
            case Errno.EINVAL -> PostStatus.INVALID;
            case ENOTCONN -> PostStatus.NOT_CONNECTED;
            default -> PostStatus.ofErrno(Math.abs(errno));
        };
        return status == PostStatus.QUEUE_FULL || !queuePair.hasFailed() ? status : PostStatus.NOT_CONNECTED;
    }
}
