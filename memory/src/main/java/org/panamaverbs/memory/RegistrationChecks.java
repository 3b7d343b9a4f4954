package org.panamaverbs.memory;

import java.lang.foreign.MemorySegment;

/** Checks of memory before a provider registers it. Each exception gives the reason and the remedy. */
public final class RegistrationChecks {
    private static final long PAGE_MASK = 4095;

    private RegistrationChecks() {}

    /**
     * Checks that the segment can be registered for reading.
     *
     * @throws IllegalArgumentException if the segment is on the heap, empty, or no longer alive
     */
    public static void requireRegistrable(MemorySegment segment) {
        requireRegistrable(segment, 0);
    }

    /**
     * Checks that the segment can be registered with these rights.
     *
     * @param access mask of {@link Access#bit}
     * @throws IllegalArgumentException if the segment is on the heap, empty, no longer alive, or read-only with
     *     {@link Access#LOCAL_WRITE}; if it is not aligned to 8 bytes with {@link Access#ZERO_BASED} and
     *     {@link Access#REMOTE_ATOMIC}; or as {@link #requireAccess}
     */
    public static void requireRegistrable(MemorySegment segment, int access) {
        requireAccess(access);
        if (!segment.isNative()) {
            throw refused(
                    segment,
                    "it is on the Java heap, where the garbage collector moves it",
                    "allocate it with MemorySlab.allocate or Arena.ofShared");
        }
        if (!segment.scope().isAlive()) {
            throw refused(segment, "its arena is closed", "close the arena only after the registration");
        }
        if (segment.byteSize() == 0) {
            throw refused(
                    segment, "it is empty", "give a pointer from native code its size with MemorySegment.reinterpret");
        }
        if (segment.isReadOnly() && Access.LOCAL_WRITE.in(access)) {
            throw refused(segment, "it is read-only", "leave out LOCAL_WRITE or register the writable segment");
        }
        if (Access.ZERO_BASED.in(access) && Access.REMOTE_ATOMIC.in(access) && segment.address() % Long.BYTES != 0) {
            throw refused(
                    segment,
                    "with ZERO_BASED, iova 0 is not 8-byte aligned in memory, as atomic targets must be",
                    "align its address to 8 bytes, or leave out ZERO_BASED or REMOTE_ATOMIC");
        }
        if (TaggedOffset.wraps(segment.address(), segment.byteSize())) {
            throw refused(
                    segment, "it reaches beyond the end of the address space", "check the size that it was given");
        }
    }

    /**
     * Checks that any thread may access the segment, for a provider that moves data on its own threads.
     *
     * @throws IllegalArgumentException if the segment is confined to one thread
     */
    public static void requireShareable(MemorySegment segment) {
        if (!segment.isAccessibleBy(new Thread())) {
            throw refused(segment, "it is confined to one thread", "allocate it with MemorySlab or Arena.ofShared");
        }
    }

    /**
     * Checks that these rights can be granted together.
     *
     * @param access mask of {@link Access#bit}
     * @throws IllegalArgumentException if there is an unknown bit, or a right of peers to write without
     *     {@link Access#LOCAL_WRITE} (as {@code ibv_reg_mr(3)} demands)
     */
    public static void requireAccess(int access) {
        if ((access & ~Access.KNOWN) != 0) {
            throw new IllegalArgumentException("Unknown access bits in " + Access.format(access));
        }
        if ((Access.REMOTE_WRITE.in(access) || Access.REMOTE_ATOMIC.in(access)) && !Access.LOCAL_WRITE.in(access)) {
            throw new IllegalArgumentException("Access " + Access.format(access)
                    + " lets a peer write, which needs LOCAL_WRITE too; remedy: add it");
        }
    }

    /**
     * Checks that the segment can have its first byte at an iova chosen by the caller.
     *
     * @param iova the address that peers use, unsigned
     * @param access mask of {@link Access#bit}
     * @throws IllegalArgumentException if {@code iova} and the segment's address differ in their offset within a page
     *     of 4096 bytes, the range wraps, or {@code access} contains {@link Access#ZERO_BASED}
     */
    public static void requireBase(MemorySegment segment, long iova, int access) {
        if (Access.ZERO_BASED.in(access)) {
            throw new IllegalArgumentException(
                    "ZERO_BASED and an iova exclude each other; remedy: leave one of them out");
        }
        if (((iova ^ segment.address()) & PAGE_MASK) != 0) {
            throw new IllegalArgumentException(String.format(
                    "Iova 0x%016x and address 0x%016x differ in their low 12 bits, and adapters map whole"
                            + " pages of 4096 bytes; remedy: choose an iova with the low 12 bits of the"
                            + " address",
                    iova, segment.address()));
        }
        if (TaggedOffset.wraps(iova, segment.byteSize())) {
            throw new IllegalArgumentException(
                    String.format("%d bytes at iova 0x%016x wrap beyond 2^64 - 1", segment.byteSize(), iova));
        }
    }

    /**
     * Checks that a length is positive.
     *
     * @param what the object of that length, for the message
     * @throws IllegalArgumentException if it is zero or negative
     */
    public static void requirePositive(long bytes, String what) {
        if (bytes <= 0) {
            throw new IllegalArgumentException(what + " must be at least 1 byte, got " + bytes);
        }
    }

    /**
     * Checks that a length is from 0 to {@code limit}.
     *
     * @param what the object of that length, for the message
     * @throws IllegalArgumentException if it is out of range
     */
    public static void requireAtMost(long bytes, long limit, String what) {
        if (bytes < 0 || bytes > limit) {
            throw new IllegalArgumentException(what + " must be from 0 to " + limit + " bytes, got " + bytes);
        }
    }

    private static IllegalArgumentException refused(MemorySegment segment, String why, String remedy) {
        return new IllegalArgumentException(String.format(
                "Cannot register the segment of %d bytes: %s; remedy: %s", segment.byteSize(), why, remedy));
    }
}
