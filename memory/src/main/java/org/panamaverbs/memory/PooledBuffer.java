package org.panamaverbs.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One buffer of a {@link BufferPool}. It is the acquirer's until {@link #release}; afterwards the same object is lent
 * to others, so drop it.
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

    /** The registration that the buffer is cut from, for work requests together with {@link #offset}. */
    public RegisteredBuffer region() {
        return pool.region();
    }

    /** Where the buffer begins in {@link #region}, in bytes. */
    public long offset() {
        return offset;
    }

    /** Length in bytes, at least 1. */
    public long length() {
        return segment.byteSize();
    }

    /** The memory of this buffer alone. */
    public MemorySegment segment() {
        return segment;
    }

    /** The number of the buffer in its pool, from 0; fits into a work request id. See {@link BufferPool#buffer}. */
    public int index() {
        return index;
    }

    /** Whether the buffer is out. */
    public boolean isAcquired() {
        return acquired;
    }

    /**
     * The buffer as its peer sees it.
     *
     * @param rights to advertise; none given means all that peers have
     * @throws IllegalArgumentException if the region was registered without one of the rights
     */
    public RemoteBuffer remote(Access... rights) {
        return pool.region().remote(offset, length(), rights);
    }

    /**
     * Gives the buffer back to its pool.
     *
     * @throws IllegalStateException if it is not out, so has been released before
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
