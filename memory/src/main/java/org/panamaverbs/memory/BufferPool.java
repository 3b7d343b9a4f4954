package org.panamaverbs.memory;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A pool of equal buffers cut from one registration. Acquire and release take constant time, without allocation and
 * locks. Any thread may call any method. Close the pool before its {@link RegisteredBuffer}; it refuses to close while
 * buffers are acquired.
 */
public final class BufferPool extends ManagedResource {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final int END = -1;
    private final RegisteredBuffer region;
    private final long bufferBytes;
    private final PooledBuffer[] buffers;

    /** For each free buffer the index of the free buffer below it, or {@link #END}. */
    private final AtomicIntegerArray below;

    /**
     * Index of the topmost free buffer or {@link #END}; above it a count of changes, so that no two heads are equal.
     */
    private final AtomicLong head = new AtomicLong(head(0, 0));

    private BufferPool(RegisteredBuffer region, long bufferBytes, long first, long stride, int capacity) {
        super("buffer pool " + COUNT.incrementAndGet(), region);
        this.region = region;
        this.bufferBytes = bufferBytes;
        this.buffers = new PooledBuffer[capacity];
        this.below = new AtomicIntegerArray(capacity);
        for (int i = 0; i < capacity; i++) {
            buffers[i] = new PooledBuffer(this, i, first + i * stride);
            below.setPlain(i, i + 1 < capacity ? i + 1 : END);
        }
    }

    /**
     * Creates a pool of as many buffers as fit into a registration.
     *
     * @param region the registration; not to be used otherwise while the pool is open
     * @param bufferBytes bytes per buffer, at least 1
     * @param alignment of the address of each buffer in bytes, a power of two
     * @throws IllegalArgumentException if a length or alignment is out of range, no buffer fits, or too many do
     * @throws IllegalStateException if the region is closed
     */
    public static BufferPool over(RegisteredBuffer region, long bufferBytes, long alignment) {
        RegistrationChecks.requirePositive(bufferBytes, "Pooled buffer");
        if (alignment <= 0 || Long.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("Alignment must be a power of two, got " + alignment);
        }
        long first = -region.segment().address() & (alignment - 1);
        long room = region.length() - first;
        if (room < bufferBytes) {
            throw new IllegalArgumentException(String.format(
                    "No buffer of %d bytes aligned to %d fits into %s of %d bytes",
                    bufferBytes, alignment, region.resourceName(), region.length()));
        }
        long stride = PageSize.roundUp(bufferBytes, alignment);
        long capacity = (room - bufferBytes) / stride + 1;
        if (capacity > Integer.MAX_VALUE - Long.BYTES) {
            throw new IllegalArgumentException(
                    "A pool of " + capacity + " buffers is too large; remedy: use longer buffers or several pools");
        }
        return new BufferPool(region, bufferBytes, first, stride, (int) capacity);
    }

    /**
     * Returns a free buffer, which is the caller's until {@link PooledBuffer#release}; null if all are acquired. It
     * contains what its last user left. The buffer released last comes first, since it is likely in the cache.
     *
     * @throws IllegalStateException if the pool is closed
     */
    public @Nullable PooledBuffer acquire() {
        requireOpen();
        PooledBuffer buffer = pop();
        if (buffer != null) {
            buffer.lend();
        }
        return buffer;
    }

    /** Returns the registration that the buffers are cut from. */
    public RegisteredBuffer region() {
        return region;
    }

    /** Returns the bytes per buffer. */
    public long bufferBytes() {
        return bufferBytes;
    }

    /** Returns the number of buffers, free or acquired. */
    public int capacity() {
        return buffers.length;
    }

    /** Returns the number of acquired buffers. Visits each buffer: for monitoring, not for the data path. */
    public int outstanding() {
        int out = 0;
        for (PooledBuffer buffer : buffers) {
            if (buffer.isAcquired()) {
                out++;
            }
        }
        return out;
    }

    /**
     * Returns the buffer with {@code index}, for example from the id of a work request.
     *
     * @param index {@link PooledBuffer#index}, from 0 to {@link #capacity} - 1
     * @throws IndexOutOfBoundsException if {@code index} is out of range
     */
    public PooledBuffer buffer(int index) {
        return buffers[index];
    }

    /** Takes every buffer out of circulation; if one is acquired, puts all back and refuses. */
    @Override
    protected @Nullable String closeRefusal() {
        int taken = 0;
        PooledBuffer chain = null;
        for (PooledBuffer free = pop(); free != null; free = pop()) {
            taken++;
            free.chain = chain;
            chain = free;
        }
        int out = buffers.length - taken;
        if (out == 0) {
            return null;
        }
        for (; chain != null; chain = chain.chain) {
            push(chain);
        }
        return out + " of its " + buffers.length + " buffers are not released";
    }

    @Override
    protected void release() {
        // The region is not the pool's, and the buffers are only views of it.
    }

    void takeBack(PooledBuffer buffer) {
        push(buffer);
    }

    private @Nullable PooledBuffer pop() {
        while (true) {
            long seen = head.getAcquire();
            int top = (int) seen;
            if (top == END) {
                return null;
            }
            // Stale if another thread has popped the top meanwhile; the count in the head then defeats the exchange.
            if (head.compareAndSet(seen, head(seen, below.getOpaque(top)))) {
                return buffers[top];
            }
        }
    }

    private void push(PooledBuffer buffer) {
        int index = buffer.index();
        while (true) {
            long seen = head.getAcquire();
            below.setOpaque(index, (int) seen);
            if (head.compareAndSet(seen, head(seen, index))) {
                return;
            }
        }
    }

    private static long head(long previous, int top) {
        return (((previous >>> Integer.SIZE) + 1) << Integer.SIZE) | Integer.toUnsignedLong(top);
    }
}
