package org.panamaverbs.cli.perf;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * One connection of a measurement: its queue pair, the octets that it sends and those that arrive, and how far it has
 * come. Used by one thread.
 */
final class Lane {
    /** What the peer counts into, behind the octets of a message. */
    static final int CREDIT_BYTES = Long.BYTES;

    private static final int INDEX_SHIFT = 48;
    private static final VarHandle OCTET = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle COUNT = ValueLayout.JAVA_LONG.varHandle();

    final int index;
    final QueuePair queuePair;
    final RegisteredBuffer out;
    final RegisteredBuffer in;
    final RegisteredBuffer credit;
    final int rxDepth;
    private final int inlineBytes;
    private final int largest;
    private final @Nullable Batch batch;

    /** Work requests posted, and those of them that are known to be complete. */
    long posted;

    long completed;
    /** Messages that have arrived here. */
    long arrived;
    /** Receives of the peer, at the beginning. */
    int peerReceives;
    /** Whether the peer says that it is done. */
    boolean peerDone;

    @Nullable
    Connection connection;

    private @Nullable RemoteBuffer remote;

    Lane(int index, QueuePair queuePair, Buffers buffers, int rxDepth, int inlineBytes, boolean batched) {
        this.index = index;
        this.queuePair = queuePair;
        out = buffers.out();
        in = buffers.in();
        credit = buffers.credit();
        largest = buffers.largest();
        this.rxDepth = rxDepth;
        this.inlineBytes = inlineBytes;
        batch = batched ? queuePair.batch() : null;
    }

    /** The memory of a lane: {@code largest} octets out, as many in with room for the peer's count behind. */
    record Buffers(RegisteredBuffer out, RegisteredBuffer in, RegisteredBuffer credit, int largest) {
        /** Returns where the count begins behind {@code largest} octets. */
        static long creditOffset(int largest) {
            return (largest + CREDIT_BYTES - 1L) & -CREDIT_BYTES;
        }
    }

    /** Takes the peer's buffer. */
    void remote(RemoteBuffer buffer) {
        remote = buffer;
    }

    /** Returns its connection, once there is one. */
    Connection connection() {
        Connection known = connection;
        if (known == null) {
            throw new IllegalStateException("lane " + index + " is not connected");
        }
        return known;
    }

    private RemoteBuffer target() {
        RemoteBuffer known = remote;
        if (known == null) {
            throw new IllegalStateException("lane " + index + " is not connected");
        }
        return known;
    }

    /** Posts {@code count} work requests that do {@code operation}; the last is signaled if {@code signaled}. */
    void post(PerfTest.Operation operation, int size, int count, boolean signaled, boolean compareAndSwap) {
        Batch list = count > 1 ? batch : null;
        SendQueue to = list == null ? queuePair : list;
        for (int i = 0; i < count; i++) {
            posted++;
            PostStatus.check(one(to, operation, size, signaled && i == count - 1, compareAndSwap));
        }
        if (list != null) {
            PostStatus.check(list.submit());
        }
    }

    /** Returns the id of the work request that was counted last: when it completes, all before it have. */
    private long wrId() {
        return (long) index << INDEX_SHIFT | posted;
    }

    /** Returns the index of the lane of a work request. */
    static int indexOf(long wrId) {
        return (int) (wrId >>> INDEX_SHIFT);
    }

    /** Takes note that the work request has completed. */
    void sent(long wrId) {
        completed = wrId & (1L << INDEX_SHIFT) - 1;
    }

    private int one(SendQueue to, PerfTest.Operation operation, int size, boolean signaled, boolean compareAndSwap) {
        int flags = signaled ? SendFlag.SIGNALED : SendFlag.NONE;
        boolean inline = size <= inlineBytes;
        long wrId = wrId();
        return switch (operation) {
            case WRITE ->
                inline
                        ? to.writeInline(wrId, out.segment(), 0, size, target(), 0, flags)
                        : to.write(wrId, out, 0, size, target(), 0, flags);
            case WRITE_IMM -> to.writeWithImmediate(wrId, out, 0, size, target(), 0, 1, flags);
            case SEND ->
                inline ? to.sendInline(wrId, out.segment(), 0, size, flags) : to.send(wrId, out, 0, size, flags);
            case READ -> to.read(wrId, in, 0, size, target(), 0, flags);
            case ATOMIC ->
                compareAndSwap
                        ? to.cmpSwap(wrId, in, 0, target(), 0, 0, 0, flags)
                        : to.fetchAdd(wrId, in, 0, target(), 0, 1, flags);
        };
    }

    /** Posts a receive. */
    void receive() {
        PostStatus.check(queuePair.recv((long) index << INDEX_SHIFT, in, 0, largest));
    }

    /** Tells the peer how many of its messages were taken, so that it can send as many more. */
    void tellCredit() {
        credit.segment().set(ValueLayout.JAVA_LONG, 0, Long.reverseBytes(arrived));
        posted++;
        PostStatus.check(queuePair.write(
                wrId(), credit, 0, CREDIT_BYTES, target(), Buffers.creditOffset(largest), SendFlag.SIGNALED));
    }

    /** Reads from the peer: when that completes, what was posted before has arrived. */
    void confirm() {
        posted++;
        PostStatus.check(queuePair.read(
                wrId(), credit, 0, CREDIT_BYTES, target(), Buffers.creditOffset(largest), SendFlag.SIGNALED));
    }

    /** Says that nothing more comes. */
    void tellDone() {
        posted++;
        PostStatus.check(queuePair.send(wrId(), out, 0, 0, SendFlag.SIGNALED));
    }

    /** Returns how many messages the peer has told to have taken. */
    long credit() {
        long offset = Buffers.creditOffset(largest);
        return Long.reverseBytes((long) COUNT.getAcquire(in.segment(), offset));
    }

    /** Sets the last of {@code size} octets to be sent. */
    void mark(int size, byte value) {
        OCTET.set(out.segment(), size - 1L, value);
    }

    /** Tells whether the last of {@code size} octets has arrived. */
    boolean isMarked(int size, byte value) {
        return (byte) OCTET.getAcquire(in.segment(), size - 1L) == value;
    }
}
