package org.panamaverbs.memory;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of one size cut out of one registration, lent and taken back in constant time without allocating and without
 * locks. Any thread may acquire and release.
 *
 * <p>The pool must be closed before the {@link RegisteredBuffer} it is cut from, and refuses to close while buffers are
 * out.
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
     * Cuts as many buffers as fit out of a registration.
     *
     * @param region the registration, which the caller must not use otherwise while the pool is open
     * @param bufferBytes length of each buffer, at least 1
     * @param alignment of the address of each buffer, a power of two
     * @throws IllegalArgumentException if a length or alignment is out of range, not one buffer fits, or more fit than
     *     a pool can count
     * @throws IllegalStateException if the region is closed
     */
    public static BufferPool over(RegisteredBuffer region, long bufferBytes, long alignment) {
        RegistrationChecks.requirePositive(bufferBytes, "Pooled buffer");
        if (alignment <= 0 || Long.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("Alignment must be a power of two: " + alignment);
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
     * A free buffer, now the caller's until {@link PooledBuffer#release}; or null if all are out. Its contents are what
     * its last user left. The one released last comes first, since it is likely in the cache.
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

    /** The registration that the buffers are cut from. */
    public RegisteredBuffer region() {
        return region;
    }

    /** Bytes of each buffer. */
    public long bufferBytes() {
        return bufferBytes;
    }

    /** How many buffers there are, free or out. */
    public int capacity() {
        return buffers.length;
    }

    /** How many buffers are out. Looks at each: for monitoring, not for the data path. */
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
     * The buffer with an {@link PooledBuffer#index index}, such as one that a work request carried in its id.
     *
     * @throws IndexOutOfBoundsException if the index is not from 0 to {@link #capacity} - 1
     */
    public PooledBuffer buffer(int index) {
        return buffers[index];
    }

    /** Takes every buffer out of circulation, or none. */
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
