package org.panamaverbs.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Page-aligned native memory to register: plain, in huge pages, shared between processes, or mapped from a file.
 *
 * <p>The memory is accessible to all threads. It is freed by {@link #close}, which refuses as long as a
 * {@link RegisteredBuffer} lies in it or a native call uses it; access to the segment afterwards throws
 * {@link IllegalStateException}. Making and closing a slab takes tens of microseconds: do it at start-up, and use a
 * {@link BufferPool} on the data path.
 */
public final class MemorySlab extends ManagedResource {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final Map<MemorySegment.Scope, WeakReference<MemorySlab>> BY_SCOPE = new ConcurrentHashMap<>();
    private static final int NO_DESCRIPTOR = -1;

    private final Arena arena;
    private final MemorySegment segment;
    private final Backing backing;
    // The buffer that closes this slab when it is closed itself; null if whoever made the slab does.
    // Weak: a buffer that is lost must be noticed. Set once, before the buffer has left its constructor.
    private volatile @Nullable WeakReference<ManagedResource> owner;

    /** What other processes that are given the {@link #fileDescriptor} can do with the memory. */
    public enum Sharing {
        /** There is no descriptor. */
        NONE,
        /** They can map the memory to read it; the kernel lets nobody but this process write. */
        READ,
        /** They can map the memory to read and write it. */
        WRITE
    }

    /** What the memory is made of. */
    private record Backing(
            long pageBytes, boolean huge, @Nullable String fallbackReason, int fileDescriptor, Sharing sharing) {
        static final Backing PLAIN = new Backing(PageSize.BASE, false, null, NO_DESCRIPTOR, Sharing.NONE);

        static Backing fallback(String reason) {
            return new Backing(PageSize.BASE, false, reason, NO_DESCRIPTOR, Sharing.NONE);
        }
    }

    private MemorySlab(String kind, Arena arena, MemorySegment segment, Backing backing) {
        super(kind + " " + COUNT.incrementAndGet());
        this.arena = arena;
        this.segment = segment;
        this.backing = backing;
    }

    /**
     * Zeroed memory that shares no page with anything else. Needs no native access.
     *
     * @param bytes at least 1
     * @throws IllegalArgumentException if {@code bytes} is zero or negative
     * @throws OutOfMemoryError if the system refuses
     */
    public static MemorySlab allocate(long bytes) {
        return allocate(bytes, Backing.PLAIN);
    }

    /**
     * Zeroed memory in huge pages, which spare the adapter and the processor translations; or, where there are none, in
     * base pages. {@link #isHuge} says which, {@link #fallbackReason} why. The pages are taken at once, since a limit
     * of the control group shows only then; kernels before Linux 5.14 take each at its first access, which ends the
     * process by a SIGBUS if such a limit is in the way.
     *
     * @param bytes at least 1
     * @throws IllegalArgumentException if {@code bytes} is zero or negative
     * @throws OutOfMemoryError if the system refuses base pages too
     */
    public static MemorySlab allocateHuge(long bytes) {
        return allocateHuge(bytes, Libc.MAP_HUGETLB);
    }

    /** Does so with pages that the system gives for {@code flags} of mmap. */
    static MemorySlab allocateHuge(long bytes, int flags) {
        RegistrationChecks.requirePositive(bytes, "Memory slab");
        Optional<String> unavailable = Libc.unavailable();
        if (unavailable.isPresent()) {
            return allocate(bytes, Backing.fallback("Huge pages are not available: " + unavailable.get()));
        }
        long pageBytes = PageSize.huge();
        long rounded = PageSize.roundUp(bytes, pageBytes);
        Arena arena = Arena.ofShared();
        try {
            Libc libc = Libc.require("Huge pages");
            MemorySegment pages = libc.mapAnonymous(rounded, flags, arena);
            libc.populate(pages);
            Backing huge = new Backing(pageBytes, true, null, NO_DESCRIPTOR, Sharing.NONE);
            return open("huge memory slab", arena, pages.asSlice(0, bytes), huge);
        } catch (Libc.CallFailed e) {
            arena.close();
            String reason = String.format(
                    "No huge pages: %s; remedy: run sysctl -w vm.nr_hugepages=%d (%d KiB each) or more, and let the"
                            + " control group use as many (hugetlb.*.max)",
                    e.getMessage(), rounded / pageBytes, pageBytes >> 10);
            return allocate(bytes, Backing.fallback(reason));
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Zeroed memory that another process can map with {@link #openShared(long, int)}, given the number of this process
     * and the {@link #fileDescriptor}. It has no name in the file system and vanishes with its last user. Its size is
     * sealed, so that no process can take it from the others.
     *
     * @param name what {@code /proc/PID/maps} shows; at most 249 bytes, need not be unique
     * @param bytes at least 1
     * @throws IllegalArgumentException if {@code bytes} is zero or negative
     * @throws UnsupportedOperationException with the remedy, if this is not Linux or native access is denied
     * @throws UncheckedIOException if the system refuses
     */
    public static MemorySlab shared(String name, long bytes) {
        return shared(name, bytes, Sharing.WRITE);
    }

    /**
     * Does so for processes that only read: the kernel lets nobody but this one write (Linux 5.1 and later), so that
     * {@link #openShared} refuses.
     *
     * @throws IllegalArgumentException if {@code bytes} is zero or negative
     * @throws UnsupportedOperationException with the remedy, if this is not Linux or native access is denied
     * @throws UncheckedIOException if the system refuses
     */
    public static MemorySlab sharedToRead(String name, long bytes) {
        return shared(name, bytes, Sharing.READ);
    }

    private static MemorySlab shared(String name, long bytes, Sharing sharing) {
        RegistrationChecks.requirePositive(bytes, "Memory slab");
        Libc libc = Libc.require("Shared memory");
        int fd;
        try {
            fd = libc.createMemoryFile(name, bytes);
        } catch (Libc.CallFailed e) {
            throw refused(e);
        }
        boolean made = false;
        MemorySlab slab = null;
        try {
            Path path = Path.of("/proc/self/fd/" + fd);
            slab = map("shared memory slab", path, 0, bytes, true, fd, sharing);
            // Behind it: what is mapped stays writable here.
            libc.seal(fd, sharing == Sharing.READ ? Libc.F_SEAL_FUTURE_WRITE : 0);
            made = true;
            return slab;
        } catch (Libc.CallFailed e) {
            throw refused(e);
        } finally {
            if (!made && slab != null) {
                slab.close();
            } else if (!made) {
                libc.close(fd);
            }
        }
    }

    private static UncheckedIOException refused(Libc.CallFailed e) {
        return new UncheckedIOException("Cannot create shared memory: " + e.getMessage(), new IOException(e));
    }

    /**
     * Memory that a process, possibly this one, has made with {@link #shared}. Needs no native access.
     *
     * @param processId of the process that made it, which must run as the same user and still have it open
     * @param fileDescriptor what {@link #fileDescriptor} says there
     * @throws UncheckedIOException if there is no such process or descriptor, or the system refuses
     */
    public static MemorySlab openShared(long processId, int fileDescriptor) {
        Path path = Path.of("/proc/" + processId + "/fd/" + fileDescriptor);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return map("shared memory slab", path, 0, file.size(), true, NO_DESCRIPTOR, Sharing.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot open shared memory " + path + ": " + e, e);
        }
    }

    /**
     * A part of a file, in memory. What is written, also by peers, goes to the file.
     *
     * <p>Whoever truncates the file takes the memory away: this process then gets an {@link InternalError} from
     * accesses to the segment. The software provider refuses what it was asked to do with such memory, as it does with
     * a revoked STag. It copies payload that lies in files, once each way, where it would move other memory in place.
     * Only an Atomic that a peer asks for in the very moment of the truncation, before the virtual machine has compiled
     * atomics, can end the process: no file that others may truncate should be registered with
     * {@link Access#REMOTE_ATOMIC}. Adapters pin the pages at registration and are not concerned.
     *
     * <p>All this is known of a segment that says that it is mapped. One made from an address, as by
     * {@link MemorySegment#reinterpret(long)} or by C, does not say so: a file that is truncated below it can end the
     * process, in accesses that the virtual machine does not survive and in system calls that fail for it.
     *
     * @param offset of the part in the file, in bytes; a multiple of {@link #pageBytes}
     * @param bytes at least 1
     * @param writable whether the memory can be written and so be registered with {@link Access#LOCAL_WRITE}
     * @throws IllegalArgumentException if {@code bytes} is zero or negative, {@code offset} is negative or no multiple
     *     of the page size, or the file ends before the part does
     * @throws UncheckedIOException if the file cannot be opened or mapped
     */
    public static MemorySlab map(Path file, long offset, long bytes, boolean writable) {
        RegistrationChecks.requirePositive(bytes, "Memory slab");
        if (offset < 0 || offset % PageSize.BASE != 0) {
            throw new IllegalArgumentException(
                    "Offset " + offset + " in " + file + " is not a multiple of the page size " + PageSize.BASE);
        }
        return map("mapped memory slab", file, offset, bytes, writable, NO_DESCRIPTOR, Sharing.NONE);
    }

    /**
     * Returns whether an access to the segment may fail at any time because another process took the memory away: it is
     * mapped from a file, which may be truncated, and no slab of {@link #shared}, whose size is sealed. A segment that
     * {@link MemorySegment#reinterpret} made of a mapped one cannot be told from other memory.
     */
    public static boolean mayVanish(MemorySegment segment) {
        if (!segment.isMapped()) {
            return false;
        }
        MemorySlab slab = containing(segment);
        return slab == null || !slab.isSealed();
    }

    /**
     * Returns whether the owner of the segment may close its arena although it is registered: it lies neither in a slab
     * nor in the global arena.
     */
    public static boolean mayClose(MemorySegment segment) {
        return !segment.scope().equals(Arena.global().scope()) && containing(segment) == null;
    }

    /** The slab whose arena a segment was made by, or null if there is none open. */
    public static @Nullable MemorySlab containing(MemorySegment segment) {
        WeakReference<MemorySlab> slab = BY_SCOPE.get(segment.scope());
        return slab == null ? null : slab.get();
    }

    /** Whether no process can make the memory smaller while this slab is open. */
    private boolean isSealed() {
        return backing.fileDescriptor != NO_DESCRIPTOR;
    }

    /** Says that closing {@code buffer} closes this slab. */
    void belongsTo(ManagedResource buffer) {
        owner = new WeakReference<>(buffer);
    }

    /** What refuses to close as long as something lies in the memory: its owner, or the slab itself. */
    ManagedResource closedBy() {
        WeakReference<ManagedResource> known = owner;
        ManagedResource buffer = known == null ? null : known.get();
        return buffer == null ? this : buffer;
    }

    /** The memory, {@link #bytes} long. Valid until the slab is closed. */
    public MemorySegment segment() {
        return segment;
    }

    /** Bytes of the segment, as asked for. */
    public long bytes() {
        return segment.byteSize();
    }

    /** Bytes of the pages the memory is made of, and the alignment of its address. */
    public long pageBytes() {
        return backing.pageBytes;
    }

    /** Whether the memory is in huge pages. */
    public boolean isHuge() {
        return backing.huge;
    }

    /** Why {@link #allocateHuge} gave base pages, with the remedy; empty if it did not or was not asked. */
    public Optional<String> fallbackReason() {
        return Optional.ofNullable(backing.fallbackReason);
    }

    /** What other processes can do with the memory that are given the {@link #fileDescriptor}. */
    public Sharing sharing() {
        return backing.sharing;
    }

    /**
     * The descriptor that other processes can open the memory by while this slab is open.
     *
     * @throws UnsupportedOperationException if the slab was not made by {@link #shared}
     */
    public int fileDescriptor() {
        if (backing.fileDescriptor == NO_DESCRIPTOR) {
            throw new UnsupportedOperationException(
                    resourceName() + " has no descriptor: it was not created by shared()");
        }
        return backing.fileDescriptor;
    }

    /** Frees the memory, unless another thread is in the middle of a call that was given the segment. */
    @Override
    protected @Nullable String closeRefusal() {
        try {
            arena.close();
            return null;
        } catch (IllegalStateException e) {
            return "a call in progress uses its memory";
        }
    }

    @Override
    protected void release() {
        BY_SCOPE.remove(arena.scope());
        if (backing.fileDescriptor != NO_DESCRIPTOR) {
            Libc.require("Shared memory").close(backing.fileDescriptor);
        }
    }

    private static MemorySlab allocate(long bytes, Backing backing) {
        RegistrationChecks.requirePositive(bytes, "Memory slab");
        long rounded = PageSize.roundUp(bytes, PageSize.BASE);
        Arena arena = Arena.ofShared();
        try {
            MemorySegment pages = arena.allocate(rounded, PageSize.BASE);
            return open("memory slab", arena, pages.asSlice(0, bytes), backing);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    private static MemorySlab map(
            String kind, Path path, long offset, long bytes, boolean writable, int fd, Sharing sharing) {
        Arena arena = Arena.ofShared();
        try (FileChannel file = writable
                ? FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)
                : FileChannel.open(path, StandardOpenOption.READ)) {
            if (bytes > file.size() - offset) {
                throw new IllegalArgumentException(String.format(
                        "Cannot map %d bytes at offset %d: %s has only %d", bytes, offset, path, file.size()));
            }
            MemorySegment mapped = file.map(writable ? MapMode.READ_WRITE : MapMode.READ_ONLY, offset, bytes, arena);
            return open(kind, arena, mapped, new Backing(PageSize.BASE, false, null, fd, sharing));
        } catch (IOException e) {
            arena.close();
            throw new UncheckedIOException("Cannot map " + path + ": " + e, e);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    private static MemorySlab open(String kind, Arena arena, MemorySegment segment, Backing backing) {
        MemorySlab slab = new MemorySlab(kind, arena, segment, backing);
        try {
            BY_SCOPE.put(arena.scope(), new WeakReference<>(slab));
            return slab;
        } catch (Throwable e) {
            slab.abandon();
            throw e;
        }
    }
}
