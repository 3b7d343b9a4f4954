package org.panamaverbs.ibverbs.post;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.ExtendedSendQueue;
import org.panamaverbs.api.ext.PlacementType;
import org.panamaverbs.ibverbs.call.RawMemory;
import org.panamaverbs.ibverbs.extensions.QpExOps;

/** Posts what only a queue pair can post that was made for it, by calls of its own, in turn with its chains. */
public final class ExtendedSends implements ExtendedSendQueue {
    // infiniband/verbs.h: enum ibv_placement_type, enum ibv_selectivity_level
    private static final byte FLUSH_GLOBAL = 1;
    private static final byte FLUSH_PERSISTENT = 1 << 1;
    private static final byte FLUSH_RANGE = 0;
    private static final byte FLUSH_MR = 1;

    private static final long MAX_LENGTH = 0xFFFF_FFFFL;

    private final NativeQueuePair queuePair;
    private final IbvSendQueue queue;
    // Null if the queue pair was made for none of it.
    private final @Nullable QpExOps ops;
    // 8 bytes, with the gate.
    private final long scratch;

    /** Creates what posts to {@code queuePair} in turn with {@code queue}; {@code scratch} has 8 bytes. */
    public ExtendedSends(NativeQueuePair queuePair, IbvSendQueue queue, MemorySegment scratch) {
        this.queuePair = queuePair;
        this.queue = queue;
        ops = queuePair.config().sendOps().isEmpty()
                ? null
                : QpExOps.of(queuePair.handle(), queuePair.config().sendOps());
        this.scratch = scratch.address();
    }

    @Override
    public int postAtomicWrite(long wrId, long value, long remoteAddress, int rkey, int flags) {
        QpExOps its = ops;
        if (its == null || !its.writesAtomically()) {
            throw without(Feature.ATOMIC_WRITE);
        }
        int status = queue.begin(flags, PostStatus.ACCEPTED, Long.BYTES);
        if (status != PostStatus.ACCEPTED) {
            return status;
        }
        try {
            RawMemory.putLong(scratch, value);
            return queue.end(its.atomicWrite(wrId, flags, rkey, remoteAddress, scratch));
        } catch (Throwable e) {
            queue.fail();
            throw e;
        }
    }

    @Override
    public int postFlush(long wrId, long remoteAddress, long length, int rkey, PlacementType placement, int flags) {
        return flush(wrId, flags, rkey, remoteAddress, length, placement, FLUSH_RANGE);
    }

    @Override
    public int postFlushRegion(long wrId, long remoteAddress, int rkey, PlacementType placement, int flags) {
        return flush(wrId, flags, rkey, remoteAddress, 0, placement, FLUSH_MR);
    }

    private int flush(
            long wrId,
            int flags,
            int rkey,
            long remoteAddress,
            long length,
            PlacementType placement,
            byte selectivity) {
        QpExOps its = flushing(placement);
        int status = queue.begin(flags, lengthFault(length), 0);
        if (status != PostStatus.ACCEPTED) {
            return status;
        }
        try {
            return queue.end(its.flush(wrId, flags, rkey, remoteAddress, length, code(placement), selectivity));
        } catch (Throwable e) {
            queue.fail();
            throw e;
        }
    }

    /** Returns what flushes, if it can so far as {@code placement} says. */
    private QpExOps flushing(PlacementType placement) {
        QpExOps its = ops;
        if (its == null || !its.flushes()) {
            throw without(Feature.FLUSH);
        }
        if (placement == PlacementType.PERSISTENT) {
            queuePair.context().limits().require(Feature.FLUSH_PERSISTENT);
        }
        return its;
    }

    private static int lengthFault(long length) {
        return length < 0
                ? PostStatus.INVALID
                : length > MAX_LENGTH ? PostStatus.MESSAGE_TOO_LONG : PostStatus.ACCEPTED;
    }

    private static byte code(PlacementType placement) {
        return placement == PlacementType.GLOBAL ? FLUSH_GLOBAL : FLUSH_PERSISTENT;
    }

    /** Returns that the queue pair lacks {@code operation}, but says first if it is closed or the device lacks it. */
    private UnsupportedOperationException without(Feature operation) {
        queuePair.requireOpen();
        queuePair.context().limits().require(operation);
        return new UnsupportedOperationException(queuePair.resourceName() + " was created without " + operation + ";"
                + " remedy: create it with QueuePairConfig.withSendOps(" + operation + ")");
    }
}
