package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.SocketCalls;

/**
 * A file in memory that one process made and it alone writes, and whose size and pages nobody can change: mapped here
 * to be written, by its maker, or to be read, by who has {@linkplain ReceivedFile received} it. It has no name and ends
 * with its last descriptor and mapping. Belongs to one thread at a time.
 */
public final class SealedFile implements AutoCloseable {
    /** Without any of these the file could be cut under a reader, or written by anybody who has it. */
    static final int SEALS =
            Libc.F_SEAL_SEAL() | Libc.F_SEAL_SHRINK() | Libc.F_SEAL_GROW() | Libc.F_SEAL_FUTURE_WRITE();

    static final int NO_DESCRIPTOR = -1;

    private final Arena arena;
    private final MemorySegment memory;
    private int descriptor;

    SealedFile(Arena arena, MemorySegment memory, int descriptor) {
        this.arena = arena;
        this.memory = memory;
        this.descriptor = descriptor;
    }

    /**
     * Makes a file of {@code bytes} zeros, all of them in memory.
     *
     * @param name what {@code /proc/PID/maps} shows; need not be unique
     * @param bytes at least 1
     * @throws IOException if the system refuses
     */
    public static SealedFile create(String name, long bytes) throws IOException {
        return create(name, bytes, true);
    }

    /**
     * Makes a file of {@code bytes} zeros, each page of which takes memory from the first access to it on; otherwise as
     * {@link #create(String, long)}.
     */
    public static SealedFile createSparse(String name, long bytes) throws IOException {
        return create(name, bytes, false);
    }

    private static SealedFile create(String name, long bytes, boolean whole) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            int descriptor = MemoryCalls.create(name);
            try {
                MemorySegment memory;
                if (whole) {
                    MemoryCalls.allocate(descriptor, bytes, name);
                    memory = MemoryCalls.map(descriptor, bytes, true, arena, name);
                    // What is allocated but was never touched counts as a hole, and the system may leave such pages
                    // unmapped; to touch them where it did not would cost more than the rest of the set-up.
                    if (MemoryCalls.firstHole(descriptor, name) != bytes) {
                        memory.fill((byte) 0);
                    }
                } else {
                    MemoryCalls.resize(descriptor, bytes, name);
                    memory = MemoryCalls.map(descriptor, bytes, true, 0, arena, name);
                }
                MemoryCalls.addSeals(descriptor, SEALS, name);
                return new SealedFile(arena, memory, descriptor);
            } catch (IOException | RuntimeException | Error e) {
                SocketCalls.close(descriptor);
                throw e;
            }
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /** Returns the whole file; read-only if a peer has made it. Valid until {@link #close}. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the descriptor, to be sent. */
    int descriptor() {
        if (descriptor == NO_DESCRIPTOR) {
            throw new IllegalStateException("the descriptor of a sealed file was closed");
        }
        return descriptor;
    }

    /** Closes the descriptor, once nobody is to be sent it any more; the memory stays. */
    public void closeDescriptor() {
        int open = descriptor;
        descriptor = NO_DESCRIPTOR;
        if (open != NO_DESCRIPTOR) {
            SocketCalls.close(open);
        }
    }

    /**
     * Unmaps the memory and closes the descriptor; without effect if that is done.
     *
     * @throws IllegalStateException if a call that was given the memory is under way
     */
    @Override
    public void close() {
        try {
            closeDescriptor();
        } finally {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }
}
