package org.panamaverbs.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of a {@link BufferPool}. It is the acquirer's until {@link #release}. Keep no reference afterwards: the same
 * object is lent again.
 */
public final class PooledBuffer {
    private static final VarHandle ACQUIRED;

    static {
        try {
            ACQUIRED = MethodHandles.lookup().findVarHandle(PooledBuffer.class, "acquired", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BufferPool pool;
    private final int index;
    private final long offset;
    private final MemorySegment segment;

    /** Links the buffers that a closing pool holds. */
    @Nullable
    PooledBuffer chain;

    private volatile boolean acquired;

    PooledBuffer(BufferPool pool, int index, long offset) {
        this.pool = pool;
        this.index = index;
        this.offset = offset;
        this.segment = pool.region().segment().asSlice(offset, pool.bufferBytes());
    }

    /** Returns the registration that the buffer is cut from; work requests take it with {@link #offset}. */
    public RegisteredBuffer region() {
        return pool.region();
    }

    /** Returns the offset of the buffer in {@link #region}, in bytes. */
    public long offset() {
        return offset;
    }

    /** Returns the length in bytes, at least 1. */
    public long length() {
        return segment.byteSize();
    }

    /** Returns the memory of this buffer only. */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Returns the number of the buffer in its pool, from 0: use it as the id of a work request, see
     * {@link BufferPool#buffer}.
     */
    public int index() {
        return index;
    }

    /** Returns whether the buffer is acquired. */
    public boolean isAcquired() {
        return acquired;
    }

    /**
     * Returns the buffer to be sent to a peer.
     *
     * @param rights to advertise; none for all rights of peers
     * @throws IllegalArgumentException if the region was registered without one of the rights
     */
    public RemoteBuffer remote(Access... rights) {
        return pool.region().remote(offset, length(), rights);
    }

    /**
     * Returns the buffer to its pool.
     *
     * @throws IllegalStateException if it is not acquired
     */
    public void release() {
        if (!ACQUIRED.compareAndSet(this, true, false)) {
            throw new IllegalStateException(this + " was released twice");
        }
        pool.takeBack(this);
    }

    void lend() {
        ACQUIRED.setRelease(this, true);
    }

    @Override
    public String toString() {
        return "buffer " + index + " of " + pool.resourceName();
    }
}
