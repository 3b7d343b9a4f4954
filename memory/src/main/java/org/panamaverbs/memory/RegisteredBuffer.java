package org.panamaverbs.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Local memory that an adapter may access: an enabled Tagged Buffer. In libibverbs an {@code ibv_mr} with its address,
 * length and keys.
 *
 * <p>Made by a protection domain, and open until {@link #close}. It pins the {@link MemorySlab} it lies in: the slab
 * refuses to close first. Where a buffer owns the slab, as one that a domain has allocated does, it is this buffer that
 * refuses to close before the others that lie in its memory.
 *
 * <p>Memory from any other arena must outlive the registration: close the buffer first, then the arena. With assertions
 * on, {@link #checkedAddress} checks it. The software provider looks at each access whether the arena is open, keeps it
 * open during a system call (closing it then throws {@link IllegalStateException}; try again), and answers as for a
 * revoked STag once it is closed. An adapter knows nothing of arenas: it goes on reading and writing what the process
 * has freed, and uses for something else, until the registration ends.
 *
 * <p>All methods may be called by any thread. Whether the segment may be accessed by any thread depends on its arena.
 * The guide's page {@code learn/memory} says what happens where memory, registration or request ends too early.
 */
public final class RegisteredBuffer extends ManagedResource {
    private final ManagedResource domain;
    private final @Nullable MemorySegment segment;
    private final long length;
    private final long taggedOffset;
    private final int lkey;
    private final int rkey;
    private final int access;
    private final Runnable deregister;
    private final @Nullable AutoCloseable ownedMemory;

    /**
     * Represents a registration that a provider has made. For providers; if the constructor throws, the registration is
     * still theirs to undo.
     *
     * @param domain what must stay open as long as the registration
     * @param segment the registered memory
     * @param lkey what the adapter knows the buffer by in local operations
     * @param rkey what it knows it by in operations of the peer; the {@link #stag}
     * @param taggedOffset of the first byte, unsigned
     * @param access mask of {@link Access#bit} as registered
     * @param deregister undoes the registration; after it has returned, the adapter no longer touches the memory. If it
     *     throws, the memory stays pinned, and the next {@link #close} runs it again
     * @param ownedMemory closed after a successful {@code deregister}, for memory that is allocated with the buffer; or
     *     null if the memory is the caller's
     * @throws IllegalArgumentException as {@link RegistrationChecks#requireRegistrable(MemorySegment, int)} does, or if
     *     the tagged offsets wrap
     * @throws IllegalStateException if the domain is closed
     */
    public RegisteredBuffer(
            ManagedResource domain,
            MemorySegment segment,
            int lkey,
            int rkey,
            long taggedOffset,
            int access,
            Runnable deregister,
            @Nullable AutoCloseable ownedMemory) {
        super(checkedName(segment, lkey, rkey, taggedOffset, access), parents(domain, segment, ownedMemory));
        this.domain = domain;
        this.segment = segment;
        this.length = segment.byteSize();
        this.taggedOffset = taggedOffset;
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
     * Represents a registration of memory that this process does not have, such as a device's. For providers.
     *
     * @param domain what must stay open as long as the registration
     * @param length in bytes, at least 1
     * @param lkey what the adapter knows the buffer by in local operations
     * @param rkey what it knows it by in operations of the peer; the {@link #stag}
     * @param taggedOffset of the first byte, unsigned
     * @param access mask of {@link Access#bit} as registered
     * @param deregister undoes the registration. If it throws, the next {@link #close} runs it again
     * @throws IllegalArgumentException if the rights contradict each other, the length is not positive or the tagged
     *     offsets wrap
     * @throws IllegalStateException if the domain is closed
     */
    public RegisteredBuffer(
            ManagedResource domain,
            long length,
            int lkey,
            int rkey,
            long taggedOffset,
            int access,
            Runnable deregister) {
        super(checkedName(length, lkey, rkey, taggedOffset, access), domain);
        this.domain = domain;
        this.segment = null;
        this.length = length;
        this.taggedOffset = taggedOffset;
        this.lkey = lkey;
        this.rkey = rkey;
        this.access = access;
        this.deregister = deregister;
        this.ownedMemory = null;
    }

    /** Whether {@code other} is the domain that the buffer is registered with, open or closed. */
    public boolean isOf(ManagedResource other) {
        return domain.equals(other);
    }

    /**
     * Whether the buffer has a segment: not a device's memory, which this process does not have, nor what is registered
     * without a place, such as all memory of the process.
     */
    public boolean hasSegment() {
        return segment != null;
    }

    /**
     * The memory, valid while its arena is; closing the buffer ends it only if the buffer owns the memory.
     *
     * @throws UnsupportedOperationException if this process does not have it, see {@link #hasSegment}: work requests
     *     take it by its {@link #checkedAddress} all the same
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

    /** Length in bytes, at least 1. */
    public long length() {
        return length;
    }

    /** The Steering Tag that peers address the buffer by: the {@link #rkey}. */
    public STag stag() {
        return new STag(rkey);
    }

    /** The local key, for scatter/gather elements. */
    public int lkey() {
        return lkey;
    }

    /** The remote key, for the peer. */
    public int rkey() {
        return rkey;
    }

    /** The tagged offset of the first byte, unsigned: its address unless registered otherwise. */
    public long taggedOffset() {
        return taggedOffset;
    }

    /** Mask of {@link Access#bit} as registered. */
    public int access() {
        return access;
    }

    /**
     * What a scatter/gather element has as its address ({@code ibv_sge.addr}), after checking that the buffer is open
     * and the range within bounds. Does not allocate.
     *
     * @param offset of the range in the buffer, in bytes
     * @param rangeLength in bytes; 0 is legal at any offset from 0 to {@link #length}
     * @return the tagged offset of the range, unsigned
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
        return taggedOffset + offset;
    }

    /**
     * The whole buffer as its peer sees it, with all the rights that peers have.
     *
     * @throws IllegalStateException if the buffer is closed
     */
    public RemoteBuffer remote() {
        return remote(0, length);
    }

    /**
     * A part of the buffer to advertise to the peer. The rights are a promise to a well-behaved requester: what the
     * responder enforces are the rights and bounds of the registration. Bind a memory window to enforce less.
     *
     * @param offset of the part in the buffer, in bytes
     * @param rangeLength in bytes, 0 or more
     * @param narrowed the rights to advertise; none given means all that peers have
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
     * The 64-bit cell at an offset, for atomic access by this process and by peers.
     *
     * @param offset of the cell in the buffer, in bytes
     * @throws IllegalStateException if the buffer is closed
     * @throws IndexOutOfBoundsException if the eight bytes are not within the buffer
     * @throws IllegalArgumentException if the address or the tagged offset of the cell is not a multiple of 8, or the
     *     segment is read-only
     * @throws UnsupportedOperationException if this process does not have the memory, see {@link #hasSegment}
     */
    public AtomicTarget atomicTarget(long offset) {
        return new AtomicTarget(this, offset);
    }

    /** Deregisters; until that has succeeded, the adapter may access the memory. */
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

    private static String checkedName(MemorySegment segment, int lkey, int rkey, long taggedOffset, int access) {
        RegistrationChecks.requireRegistrable(segment, access);
        return checkedName(segment.byteSize(), lkey, rkey, taggedOffset, access);
    }

    private static String checkedName(long length, int lkey, int rkey, long taggedOffset, int access) {
        RegistrationChecks.requireAccess(access);
        RegistrationChecks.requirePositive(length, "A registered buffer");
        String name = name(lkey, rkey);
        if (TaggedOffset.wraps(taggedOffset, length)) {
            throw new IllegalArgumentException(String.format(
                    "%s of %d bytes at tagged offset 0x%016x wraps beyond 2^64 - 1", name, length, taggedOffset));
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
