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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Page-aligned native memory for registration: plain, in huge pages, shared between processes, or mapped from a file.
 *
 * <p>All threads may access the memory. {@link #close} frees it, and refuses as long as a {@link RegisteredBuffer} lies
 * in it or a native call uses it; later access to the segment throws {@link IllegalStateException}. Creating and
 * closing a slab takes tens of microseconds: do it at startup, and use a {@link BufferPool} on the data path.
 */
public final class MemorySlab extends ManagedResource {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final Map<MemorySegment.Scope, WeakReference<MemorySlab>> BY_SCOPE = new ConcurrentHashMap<>();
    private static final int NO_DESCRIPTOR = -1;

    /** Bytes of a slab that may have a huge page of its own where the system gives them by itself. */
    private static final long LEAST_HUGE = 2L << 20;

    private final Arena arena;
    private final MemorySegment segment;
    private final Backing backing;
    // The buffer that closes this slab when it is closed itself; null if whoever made the slab does.
    // Weak: a buffer that is lost must be noticed. Set once, before the buffer has left its constructor.
    private volatile @Nullable WeakReference<ManagedResource> owner;

    /** What other processes can do with the memory through {@link #fileDescriptor}. */
    public enum Sharing {
        /** Nothing: the slab has no file descriptor. */
        NONE,
        /** Map the memory to read it; only this process can write. */
        READ,
        /** Map the memory to read and write it. */
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
     * Creates a slab of zeroed memory that shares no page with other memory. All pages are there when this returns.
     * Does not count against {@code -XX:MaxDirectMemorySize}, but without native access.
     *
     * @param bytes at least 1
     * @throws IllegalArgumentException if {@code bytes} is not positive
     * @throws OutOfMemoryError if the system refuses the memory
     */
    public static MemorySlab allocate(long bytes) {
        return allocate(bytes, Backing.PLAIN, true);
    }

    /**
     * Creates a slab each page of which takes memory from the first access to it on, which the system serves then: it
     * takes about a microsecond, or ends the process if there is no memory left. For memory of which little is used at
     * a time; {@link #discard} gives pages back. An adapter has all pages provided at registration. Without native
     * access it is as {@link #allocate}.
     *
     * @param bytes at least 1
     * @throws IllegalArgumentException if {@code bytes} is not positive
     * @throws OutOfMemoryError if the system refuses the addresses
     */
    public static MemorySlab allocateSparse(long bytes) {
        return allocate(bytes, Backing.PLAIN, false);
    }

    /**
     * Creates a slab of zeroed memory in huge pages, which save address translations; falls back to base pages.
     * {@link #isHuge} reports which, {@link #fallbackReason} why. The pages are committed at once, which reveals a
     * limit of the control group; kernels before Linux 5.14 commit each page on first access, where such a limit ends
     * the process by SIGBUS.
     *
     * @param bytes at least 1
     * @throws IllegalArgumentException if {@code bytes} is not positive
     * @throws OutOfMemoryError if the system refuses base pages as well
     */
    public static MemorySlab allocateHuge(long bytes) {
        return allocateHuge(bytes, Libc.MAP_HUGETLB);
    }

    /** Creates a slab in pages of mmap with {@code flags}; otherwise as {@link #allocateHuge(long)}. */
    static MemorySlab allocateHuge(long bytes, int flags) {
        RegistrationChecks.requirePositive(bytes, "Memory slab");
        Optional<String> unavailable = Libc.unavailable();
        if (unavailable.isPresent()) {
            return allocate(bytes, Backing.fallback("Huge pages are not available: " + unavailable.get()), true);
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
            return allocate(bytes, Backing.fallback(reason), true);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Creates a slab of zeroed memory that other processes map with {@link #openShared(long, int)}, given this
     * process's id and {@link #fileDescriptor}. It has no name in the file system and is freed with its last user. Its
     * size is sealed: no process can truncate it. Its pages are there when this returns.
     *
     * @param name shown in {@code /proc/PID/maps}; at most 249 bytes, need not be unique
     * @param bytes at least 1
     * @throws IllegalArgumentException if {@code bytes} is not positive
     * @throws UnsupportedOperationException if this is not Linux or native access is denied, with the remedy
     * @throws UncheckedIOException if the system refuses
     */
    public static MemorySlab shared(String name, long bytes) {
        return shared(name, bytes, Sharing.WRITE);
    }

    /**
     * Creates a shared slab that only this process can write (Linux 5.1 and later); {@link #openShared} refuses it.
     * Otherwise as {@link #shared(String, long)}.
     *
     * @throws IllegalArgumentException if {@code bytes} is not positive
     * @throws UnsupportedOperationException if this is not Linux or native access is denied, with the remedy
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
            if (!libc.populate(slab.segment())) {
                slab.segment().fill((byte) 0);
            }
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
     * Maps memory that a process, possibly this one, created with {@link #shared}. Needs no native access.
     *
     * @param processId of the creator, which must run as the same user and have the slab open
     * @param fileDescriptor the creator's {@link #fileDescriptor}
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
     * Maps a part of a file. Writes to the memory, also by peers, go to the file.
     *
     * <p>If another process truncates the file, the memory is gone:
     *
     * <ul>
     *   <li>access to the segment throws {@link InternalError}
     *   <li>the software provider refuses requests for the memory as for a revoked rkey. To survive, it copies payload
     *       in mapped files once each way instead of placing it directly
     *   <li>a peer's atomic at the moment of the truncation can end the process, as long as the JVM has not compiled
     *       atomics: do not register a file that others may truncate with {@link Access#REMOTE_ATOMIC}
     *   <li>adapters pin the pages at registration and are not affected
     * </ul>
     *
     * <p>This holds for segments with {@link MemorySegment#isMapped}. A segment made from an address, as by
     * {@link MemorySegment#reinterpret(long)} or by C, hides the mapping: truncating its file can end the process.
     *
     * @param file the file; must be writable if {@code writable}
     * @param offset first byte of the part in the file, a multiple of {@link #pageBytes}
     * @param bytes length of the part, at least 1
     * @param writable whether the memory can be written, and registered with {@link Access#LOCAL_WRITE}
     * @throws IllegalArgumentException if {@code bytes} is not positive, {@code offset} is negative or no multiple of
     *     the page size, or the file is too short
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
     * Returns whether access to the segment may fail at any time because another process truncates its file. False for
     * slabs of {@link #shared}, whose size is sealed, and for segments that {@link MemorySegment#reinterpret} made of
     * mapped ones, which look like other memory.
     */
    public static boolean mayVanish(MemorySegment segment) {
        if (!segment.isMapped()) {
            return false;
        }
        MemorySlab slab = containing(segment);
        return slab == null || !slab.isSealed();
    }

    /**
     * Returns whether the arena of the segment may be closed while it is registered: the segment is neither in a slab
     * nor in the global arena.
     */
    public static boolean mayClose(MemorySegment segment) {
        return !segment.scope().equals(Arena.global().scope()) && containing(segment) == null;
    }

    /** Returns the open slab that contains the segment, null if there is none. */
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

    /** Returns the memory, {@link #bytes} long, valid until the slab is closed. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the length of the segment in bytes, as requested. */
    public long bytes() {
        return segment.byteSize();
    }

    /** Returns the page size in bytes, to which the address is aligned. */
    public long pageBytes() {
        return backing.pageBytes;
    }

    /** Returns whether the memory is in huge pages. */
    public boolean isHuge() {
        return backing.huge;
    }

    /** Returns why {@link #allocateHuge} fell back to base pages, with the remedy; empty if it did not. */
    public Optional<String> fallbackReason() {
        return Optional.ofNullable(backing.fallbackReason);
    }

    /** Returns what other processes can do with the memory. */
    public Sharing sharing() {
        return backing.sharing;
    }

    /**
     * Returns the file descriptor through which other processes open the memory while this slab is open.
     *
     * @throws UnsupportedOperationException if the slab was not created by {@link #shared} or {@link #sharedToRead}
     */
    public int fileDescriptor() {
        if (backing.fileDescriptor == NO_DESCRIPTOR) {
            throw new UnsupportedOperationException(
                    resourceName() + " has no descriptor: it was not created by shared()");
        }
        return backing.fileDescriptor;
    }

    /**
     * Gives the pages that lie wholly in a range back to the system: the next access reads zeros. Does nothing for
     * slabs in huge pages, shared or mapped, without native access, and where no heap is left. Nobody may access the
     * range meanwhile, and it must not be registered with an adapter, which would go on using the former pages.
     *
     * @param offset first byte of the range in the slab
     * @param bytes length of the range, from 0
     * @throws IndexOutOfBoundsException if the range is not within the slab
     * @throws IllegalStateException if the slab was closed
     */
    public void discard(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, segment.byteSize());
        long from = PageSize.roundUp(offset, PageSize.BASE);
        long to = (offset + bytes) / PageSize.BASE * PageSize.BASE;
        if (from < to
                && !backing.huge
                && !segment.isMapped()
                && Libc.unavailable().isEmpty()) {
            try {
                Libc.require("Memory").advise(segment.asSlice(from, to - from), Libc.MADV_DONTNEED);
            } catch (OutOfMemoryError e) {
                // Whoever gives back has done something that counts before. What is not given back now stays.
            }
        }
    }

    /** Frees the memory, unless another thread's call uses the segment. */
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

    private static MemorySlab allocate(long bytes, Backing backing, boolean whole) {
        RegistrationChecks.requirePositive(bytes, "Memory slab");
        long rounded = PageSize.roundUp(bytes, PageSize.BASE);
        Arena arena = Arena.ofShared();
        try {
            return open("memory slab", arena, pages(rounded, whole, arena).asSlice(0, bytes), backing);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    private static MemorySegment pages(long bytes, boolean whole, Arena arena) {
        if (Libc.unavailable().isPresent()) {
            return arena.allocate(bytes, PageSize.BASE);
        }
        Libc libc = Libc.require("Memory");
        try {
            MemorySegment pages = libc.mapAnonymous(bytes, 0, arena);
            if (bytes < LEAST_HUGE) {
                // Neighbours are one mapping: a huge page would be there for many slabs at once.
                libc.advise(pages, Libc.MADV_NOHUGEPAGE);
            }
            if (whole && !libc.populate(pages)) {
                pages.fill((byte) 0);
            }
            return pages;
        } catch (Libc.CallFailed e) {
            throw new OutOfMemoryError("Cannot allocate " + bytes + " bytes: " + e.getMessage());
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
