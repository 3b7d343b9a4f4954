package org.panamaverbs.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A memory region (MR) that an adapter may access, {@code struct ibv_mr} with address, length and keys: an enabled
 * Tagged Buffer in iWARP. Created by a protection domain and valid until {@link #close}.
 *
 * <p>A buffer pins the {@link MemorySlab} it lies in, which refuses to close first. If a buffer owns its slab, as one
 * that a domain allocated does, it refuses to close before other buffers in its memory.
 *
 * <p>Memory of any other arena must outlive the registration: close the buffer first, then the arena.
 * {@link #checkedAddress} checks this if assertions are enabled. If the arena is closed first:
 *
 * <ul>
 *   <li>the software provider treats the rkey as revoked. During a system call it keeps the arena open: closing then
 *       throws {@link IllegalStateException}, and can be retried
 *   <li>an adapter continues to read and write memory that the process has freed and may use for something else, until
 *       the registration ends
 * </ul>
 *
 * <p>Any thread may call any method; whether it may access the segment depends on the arena. The guide's page
 * {@code learn/memory} describes what happens if memory, registration or request end too early.
 */
public final class RegisteredBuffer extends ManagedResource {
    private final ManagedResource domain;
    private final @Nullable MemorySegment segment;
    private final long length;
    private final long iova;
    private final int lkey;
    private final int rkey;
    private final int access;
    private final Runnable deregister;
    private final @Nullable AutoCloseable ownedMemory;

    /**
     * For providers: represents a registration. If the constructor throws, the registration is still the provider's to
     * undo.
     *
     * @param domain must stay open as long as the registration
     * @param segment the registered memory
     * @param lkey the local key
     * @param rkey the remote key, an STag in iWARP
     * @param iova the iova of the first byte, unsigned
     * @param access the registered rights, a mask of {@link Access#bit}
     * @param deregister undoes the registration; once it returns, the adapter no longer accesses the memory. If it
     *     throws, the memory stays pinned, and the next {@link #close} runs it again
     * @param ownedMemory closed after {@code deregister} succeeded, for memory allocated with the buffer; null if the
     *     memory is the caller's
     * @throws IllegalArgumentException as {@link RegistrationChecks#requireRegistrable(MemorySegment, int)}, or if the
     *     range wraps
     * @throws IllegalStateException if the domain is closed
     */
    public RegisteredBuffer(
            ManagedResource domain,
            MemorySegment segment,
            int lkey,
            int rkey,
            long iova,
            int access,
            Runnable deregister,
            @Nullable AutoCloseable ownedMemory) {
        super(checkedName(segment, lkey, rkey, iova, access), parents(domain, segment, ownedMemory));
        this.domain = domain;
        this.segment = segment;
        this.length = segment.byteSize();
        this.iova = iova;
        this.lkey = lkey;
        this.rkey = rkey;
        this.access = access;
        this.deregister = deregister;
        this.ownedMemory = ownedMemory;
        if (ownedMemory instanceof MemorySlab slab) {
            try {
                slab.belongsTo(this);
            } catch (Error e) {
                abandon();
                throw e;
            }
        }
    }

    /**
     * For providers: represents a registration of memory that this process does not map, such as a device's.
     *
     * @param domain must stay open as long as the registration
     * @param length bytes, at least 1
     * @param lkey the local key
     * @param rkey the remote key, an STag in iWARP
     * @param iova the iova of the first byte, unsigned
     * @param access the registered rights, a mask of {@link Access#bit}
     * @param deregister undoes the registration. If it throws, the next {@link #close} runs it again
     * @throws IllegalArgumentException if the rights contradict each other, {@code length} is not positive or the range
     *     wraps
     * @throws IllegalStateException if the domain is closed
     */
    public RegisteredBuffer(
            ManagedResource domain, long length, int lkey, int rkey, long iova, int access, Runnable deregister) {
        super(checkedName(length, lkey, rkey, iova, access), domain);
        this.domain = domain;
        this.segment = null;
        this.length = length;
        this.iova = iova;
        this.lkey = lkey;
        this.rkey = rkey;
        this.access = access;
        this.deregister = deregister;
        this.ownedMemory = null;
    }

    /** Returns whether {@code other} is the domain of the buffer, open or closed. */
    public boolean isOf(ManagedResource other) {
        return domain.equals(other);
    }

    /**
     * Returns whether the buffer has a segment; false for device memory that this process does not map, and for regions
     * without a fixed address, such as the whole address space.
     */
    public boolean hasSegment() {
        return segment != null;
    }

    /**
     * Returns the memory, valid as long as its arena; closing the buffer ends it only if the buffer owns the memory.
     *
     * @throws UnsupportedOperationException if the buffer has none, see {@link #hasSegment}; work requests still accept
     *     its {@link #checkedAddress}
     */
    public MemorySegment segment() {
        if (segment == null) {
            throw untouchable();
        }
        return segment;
    }

    private UnsupportedOperationException untouchable() {
        return new UnsupportedOperationException(resourceName() + " has no segment: its memory is on a device or has"
                + " no fixed address; remedy: use it in work requests, copy device memory with DeviceMemory, or mmap"
                + " the descriptor of its dma-buf");
    }

    /** Returns the length in bytes, at least 1. */
    public long length() {
        return length;
    }

    /** Returns the local key, for scatter/gather entries ({@code lkey}). */
    public int lkey() {
        return lkey;
    }

    /** Returns the remote key, for peers; an STag in iWARP ({@code rkey}). */
    public int rkey() {
        return rkey;
    }

    /**
     * Returns the iova of the first byte, unsigned: its address unless registered otherwise. A tagged offset in iWARP.
     */
    public long iova() {
        return iova;
    }

    /** Returns the registered rights, a mask of {@link Access#bit}. */
    public int access() {
        return access;
    }

    /**
     * Returns the address of a range for a scatter/gather entry ({@code ibv_sge.addr}), after checking that the buffer
     * is open and the range within bounds. Does not allocate.
     *
     * @param offset first byte of the range in this buffer
     * @param rangeLength bytes; 0 is valid at any offset from 0 to {@link #length}
     * @return the iova of the range, unsigned
     * @throws IllegalStateException if the buffer is closed
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     */
    public long checkedAddress(long offset, long rangeLength) {
        requireOpen();
        if ((offset | rangeLength) < 0 || rangeLength > length - offset) {
            throw outOfBounds(offset, rangeLength);
        }
        assert segment == null || segment.scope().isAlive()
                : "the arena of " + resourceName() + " was closed before the registration";
        return iova + offset;
    }

    /**
     * Returns the whole buffer with all rights of peers, to be sent to a peer.
     *
     * @throws IllegalStateException if the buffer is closed
     */
    public RemoteBuffer remote() {
        return remote(0, length);
    }

    /**
     * Returns a part of the buffer, to be sent to a peer. Narrowed rights and bounds bind only a well-behaved
     * requester: the responder enforces those of the registration. Bind a memory window to enforce less.
     *
     * @param offset first byte of the part in this buffer
     * @param rangeLength bytes, from 0
     * @param narrowed the rights to advertise; none for all rights of peers
     * @throws IllegalStateException if the buffer is closed
     * @throws IndexOutOfBoundsException if the part is not within the buffer
     * @throws IllegalArgumentException if the buffer was registered without one of the rights
     */
    public RemoteBuffer remote(long offset, long rangeLength, Access... narrowed) {
        long first = checkedAddress(offset, rangeLength);
        int granted = access & Access.REMOTE;
        int wanted = narrowed.length == 0 ? granted : Access.mask(narrowed);
        int missing = wanted & ~granted;
        if (missing != 0) {
            throw new IllegalArgumentException(String.format(
                    "Cannot advertise %s of %s: peers have %s",
                    Access.format(missing), resourceName(), Access.format(granted)));
        }
        return RemoteBuffer.of(rkey, first, rangeLength, wanted);
    }

    /**
     * Returns the 64-bit cell at {@code offset}, for atomic access by this process and by peers.
     *
     * @param offset of the cell in this buffer, in bytes
     * @throws IllegalStateException if the buffer is closed
     * @throws IndexOutOfBoundsException if the 8 bytes are not within the buffer
     * @throws IllegalArgumentException if the address or the iova of the cell is no multiple of 8, or the segment is
     *     read-only
     * @throws UnsupportedOperationException if the buffer has no segment, see {@link #hasSegment}
     */
    public AtomicTarget atomicTarget(long offset) {
        return new AtomicTarget(this, offset);
    }

    /** Deregisters the memory; until that succeeds, the adapter may access it. */
    @Override
    protected void destroy() {
        deregister.run();
    }

    /** Frees memory that the buffer owns. */
    @Override
    protected void release() {
        if (ownedMemory == null) {
            return;
        }
        try {
            ownedMemory.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Cannot free the memory of " + resourceName(), e);
        }
    }

    private static String checkedName(MemorySegment segment, int lkey, int rkey, long iova, int access) {
        RegistrationChecks.requireRegistrable(segment, access);
        return checkedName(segment.byteSize(), lkey, rkey, iova, access);
    }

    private static String checkedName(long length, int lkey, int rkey, long iova, int access) {
        RegistrationChecks.requireAccess(access);
        RegistrationChecks.requirePositive(length, "A registered buffer");
        String name = name(lkey, rkey);
        if (TaggedOffset.wraps(iova, length)) {
            throw new IllegalArgumentException(
                    String.format("%s of %d bytes at iova 0x%016x wraps beyond 2^64 - 1", name, length, iova));
        }
        return name;
    }

    // Adapters such as rxe have no remote key, which 0 says, for memory that peers may not access.
    private static String name(int lkey, int rkey) {
        return rkey != 0
                ? String.format("registered buffer 0x%08x", rkey)
                : String.format("registered buffer with lkey 0x%08x", lkey);
    }

    private static ManagedResource[] parents(
            ManagedResource domain, MemorySegment segment, @Nullable AutoCloseable ownedMemory) {
        MemorySlab slab = ownedMemory == null ? MemorySlab.containing(segment) : null;
        return slab == null ? new ManagedResource[] {domain} : new ManagedResource[] {domain, slab.closedBy()};
    }

    private IndexOutOfBoundsException outOfBounds(long offset, long rangeLength) {
        return new IndexOutOfBoundsException(String.format(
                "%d bytes at offset %d are not within %s of %d bytes", rangeLength, offset, resourceName(), length));
    }
}
