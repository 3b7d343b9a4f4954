package org.panamaverbs.iwarp.iovec;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What one transfer moves: buffers, one after the other, from position to limit, and where each of them lies. Its owner
 * fills it, hands it out for a transfer, which moves the positions on and counts, and uses it again. Belongs to one
 * thread at a time; allocates nothing once it is made.
 *
 * <p>Where index 0 of a buffer lies is a segment of no length, {@link MemorySegment#NULL} where that is not known, or
 * one that its owner may close: it is kept from that during a system call, and once it is closed nothing is moved.
 */
public final class IoVector {
    /** One without buffers. */
    public static final IoVector EMPTY = new IoVector(0);

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final ByteBuffer[] buffers;
    private final MemorySegment[] memory;
    // The entries that count; others are empty, or left over from before.
    private int first;
    private int end;
    // Bytes of the last transfer.
    private long moved;

    /** Makes an empty one for {@code most} buffers. */
    public IoVector(int most) {
        buffers = new ByteBuffer[most];
        memory = new MemorySegment[most];
        Arrays.fill(buffers, NOTHING);
        Arrays.fill(memory, MemorySegment.NULL);
    }

    /** Makes a vector of {@code buffers} that lie anywhere. */
    public static IoVector of(ByteBuffer... buffers) {
        IoVector vector = new IoVector(buffers.length);
        for (ByteBuffer buffer : buffers) {
            vector.add(buffer, MemorySegment.NULL);
        }
        return vector;
    }

    // ---- the owner ------------------------------------------------------------------------------------------------

    /** Adds {@code buffer}, whose index 0 lies at {@code start}. */
    public void add(ByteBuffer buffer, MemorySegment start) {
        set(end, buffer, start);
        end++;
    }

    /** Puts {@code buffer} in the place of entry {@code index}. */
    public void set(int index, ByteBuffer buffer, MemorySegment start) {
        buffers[index] = buffer;
        memory[index] = start;
    }

    /** Keeps the buffer of entry {@code index} no longer: it would keep its memory. */
    public void forget(int index) {
        set(index, NOTHING, MemorySegment.NULL);
    }

    /** Leaves the first entry out. */
    public void skip() {
        first++;
    }

    /** Leaves the entries from {@code index} on out. */
    public void truncate(int index) {
        end = index;
    }

    /** Empties the vector; what its entries held is kept until others take their place. */
    public void clear() {
        first = 0;
        end = 0;
    }

    // ---- a transfer -----------------------------------------------------------------------------------------------

    /** Begins a transfer: nothing of it is moved. */
    public void begin() {
        moved = 0;
    }

    /** Counts {@code octets} more that were moved, with the positions. */
    public void count(long octets) {
        moved += octets;
    }

    /** Moves the positions of the entries from {@code index} on over {@code octets} more that were moved. */
    public void advance(int index, long octets) {
        moved += octets;
        long left = octets;
        for (int i = index; left > 0; i++) {
            ByteBuffer buffer = buffers[i];
            int some = (int) Math.min(left, buffer.remaining());
            buffer.position(buffer.position() + some);
            left -= some;
        }
    }

    // ---- anybody --------------------------------------------------------------------------------------------------

    /** Tells whether it has no entries. */
    public boolean isEmpty() {
        return first == end;
    }

    /** Returns the index of the first entry. */
    public int first() {
        return first;
    }

    /** Returns the index behind the last entry. */
    public int end() {
        return end;
    }

    /** Returns how many entries there are. */
    public int count() {
        return end - first;
    }

    /** Returns the buffer of entry {@code index}. */
    public ByteBuffer buffer(int index) {
        return buffers[index];
    }

    /** Returns where index 0 of the buffer of entry {@code index} lies. */
    public MemorySegment memory(int index) {
        return memory[index];
    }

    /** Returns the buffers, for calls that take several: those from {@link #first} to {@link #end} count. */
    public ByteBuffer[] buffers() {
        return buffers;
    }

    /** Tells whether something is left of the last buffer; false if there is none. */
    public boolean hasRemaining() {
        return first < end && buffers[end - 1].hasRemaining();
    }

    /** Returns the bytes that the last transfer moved, also if it failed. */
    public long moved() {
        return moved;
    }
}
