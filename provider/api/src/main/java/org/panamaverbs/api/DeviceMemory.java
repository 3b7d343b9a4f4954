package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;

/**
 * Memory of the device itself, {@code struct ibv_dm}: what lies in it is sent and received without the bus to the
 * host's memory. {@link ProtectionDomain#register(DeviceMemory, long, long, org.panamaverbs.memory.Access...)} gives it
 * to work requests; the process reaches it by copies alone. Any thread.
 */
public interface DeviceMemory extends AutoCloseable {
    /** Returns how many bytes it has. */
    long length();

    /**
     * Copies all of {@code source} to {@code offset} ({@code ibv_memcpy_to_dm(3)}). Devices may demand that offset and
     * length are multiples of 4.
     *
     * @param source memory that this process may read, on the heap or off; needed no longer than this call
     * @throws IndexOutOfBoundsException if it does not fit in there
     * @throws ResourceException if the device refuses
     * @throws IllegalStateException if the memory is closed
     */
    void write(long offset, MemorySegment source);

    /**
     * Fills all of {@code sink} from {@code offset} on ({@code ibv_memcpy_from_dm(3)}); otherwise as {@link #write}.
     *
     * @param sink memory that this process may write, on the heap or off; needed no longer than this call
     */
    void read(long offset, MemorySegment sink);

    /**
     * Frees the memory ({@code ibv_free_dm(3)}).
     *
     * @throws IllegalStateException naming the registrations of it that are still open
     */
    @Override
    void close();
}
