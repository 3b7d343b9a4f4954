package org.panamaverbs.api.ext;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.ResourceException;

/**
 * Memory of the device, {@code struct ibv_dm}: the device sends from it and receives into it without crossing the
 * host's bus. {@link ProtectionDomain#register(DeviceMemory, long, long, org.panamaverbs.memory.Access...)} makes it
 * usable in work requests; the process accesses it by copies only. Any thread may call any method.
 */
public interface DeviceMemory extends AutoCloseable {
    /** Returns the size in bytes. */
    long length();

    /**
     * Copies {@code source} to the memory: {@code ibv_memcpy_to_dm(3)}. Devices may require that offset and length are
     * multiples of 4.
     *
     * @param offset first byte in this memory
     * @param source memory readable by this process, on the heap or off; used during this call only
     * @throws IndexOutOfBoundsException if {@code source} does not fit
     * @throws ResourceException if the device refuses
     * @throws IllegalStateException if the memory is closed
     */
    void write(long offset, MemorySegment source);

    /**
     * Fills {@code sink} from the memory: {@code ibv_memcpy_from_dm(3)}; otherwise as {@link #write}.
     *
     * @param offset first byte in this memory
     * @param sink memory writable by this process, on the heap or off; used during this call only
     */
    void read(long offset, MemorySegment sink);

    /**
     * Frees the memory: {@code ibv_free_dm(3)}.
     *
     * @throws IllegalStateException if registrations of it are still open, naming them
     */
    @Override
    void close();
}
