package org.panamaverbs.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A 64-bit cell of a registered buffer for atomic operations, aligned and within bounds; created by
 * {@link RegisteredBuffer#atomicTarget}.
 *
 * <p>The methods access the cell in native byte order and allocate nothing. Any thread that may access the segment may
 * call them. With a software provider they are atomic with the operations of peers; with an adapter only if the device
 * has the capability {@code GLOBAL_ATOMICS}. Each throws {@link IllegalStateException} once the buffer is closed.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7306#section-5.1.1">RFC 7306, section 5.1.1</a>
 */
public final class AtomicTarget {
    private static final VarHandle CELL = JAVA_LONG.varHandle();

    private final RegisteredBuffer buffer;
    private final MemorySegment segment;
    private final long offset;

    // RFC 7306 section 5.1.1: "FetchAdd Atomic Operations MUST target ULP Buffer addresses that are 64-bit aligned."
    AtomicTarget(RegisteredBuffer buffer, long offset) {
        long iova = buffer.checkedAddress(offset, Long.BYTES);
        long address = buffer.segment().address() + offset;
        if (((iova | address) & (Long.BYTES - 1)) != 0) {
            throw new IllegalArgumentException(String.format(
                    "Atomic target at offset %d of %s is not 8-byte aligned: address 0x%016x, iova 0x%016x",
                    offset, buffer.resourceName(), address, iova));
        }
        if (buffer.segment().isReadOnly()) {
            throw new IllegalArgumentException(
                    "Atomic target at offset " + offset + " of " + buffer.resourceName() + " is in read-only memory");
        }
        this.buffer = buffer;
        this.segment = buffer.segment();
        this.offset = offset;
    }

    /** Returns the buffer that contains the cell. */
    public RegisteredBuffer buffer() {
        return buffer;
    }

    /** Returns the offset of the cell in the buffer, in bytes. */
    public long offset() {
        return offset;
    }

    /**
     * Returns the 8 bytes with all rights of peers, to be sent to a peer.
     *
     * @throws IllegalArgumentException if the buffer was registered without {@link Access#REMOTE_ATOMIC}
     */
    public RemoteBuffer remote() {
        if ((buffer.access() & Access.REMOTE_ATOMIC.bit()) == 0) {
            throw new IllegalArgumentException(buffer.resourceName()
                    + " was registered without REMOTE_ATOMIC; remedy: register it with REMOTE_ATOMIC");
        }
        RemoteBuffer remote = buffer.remote(offset, Long.BYTES);
        remote.checkedAtomicOffset(0);
        return remote;
    }

    /** Returns the value, read with volatile semantics. */
    public long getVolatile() {
        buffer.requireOpen();
        return (long) CELL.getVolatile(segment, offset);
    }

    /** Returns the value, read with acquire semantics. */
    public long getAcquire() {
        buffer.requireOpen();
        return (long) CELL.getAcquire(segment, offset);
    }

    /** Writes the cell with volatile semantics. */
    public void setVolatile(long value) {
        buffer.requireOpen();
        CELL.setVolatile(segment, offset, value);
    }

    /** Writes the cell with release semantics. */
    public void setRelease(long value) {
        buffer.requireOpen();
        CELL.setRelease(segment, offset, value);
    }

    /**
     * Sets the cell to {@code value} if it holds {@code expected}, with volatile semantics, and returns whether it did.
     */
    public boolean compareAndSet(long expected, long value) {
        buffer.requireOpen();
        return CELL.compareAndSet(segment, offset, expected, value);
    }

    /** Adds {@code add} to the cell with volatile semantics, and returns the previous value. */
    public long getAndAdd(long add) {
        buffer.requireOpen();
        return (long) CELL.getAndAdd(segment, offset, add);
    }

    /**
     * Adds to each field of the cell, and returns the previous value.
     *
     * @param add the addends, one in each field
     * @param mask the top bit of each field; 0 for one 64-bit addition
     */
    public long maskedFetchAdd(long add, long mask) {
        buffer.requireOpen();
        return MaskedAtomics.fetchAdd(segment, offset, add, mask);
    }

    /**
     * Sets the bits of {@code swapMask} to those of {@code swap} if the cell equals {@code compare} in the bits of
     * {@code compareMask}, and returns the previous value.
     */
    public long maskedCmpSwap(long compare, long compareMask, long swap, long swapMask) {
        buffer.requireOpen();
        return MaskedAtomics.cmpSwap(segment, offset, compare, compareMask, swap, swapMask);
    }

    @Override
    public String toString() {
        return "atomic target at offset " + offset + " of " + buffer;
    }
}
