package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.bindings.LinuxFiles;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.SocketCalls;

/**
 * A descriptor that a peer has sent: of anything, until it is judged. Closed by {@link #map} or {@link #close}. Belongs
 * to one thread at a time.
 */
public final class ReceivedFile implements AutoCloseable {
    private static final String WHAT = "the peer's file";

    // Without any of these accesses to what is mapped could end the process.
    private static final int SIZE_SEALS = Libc.F_SEAL_SEAL() | Libc.F_SEAL_SHRINK() | Libc.F_SEAL_GROW();

    private int descriptor;

    ReceivedFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Judges the file and maps it to be read: a {@link SealedFile} of {@code bytes} bytes, none of them missing. The
     * descriptor is closed, also if that fails.
     *
     * @throws IOException if it is anything else, or the system refuses
     */
    public SealedFile map(long bytes) throws IOException {
        return map(bytes, false, SealedFile.SEALS, true);
    }

    /**
     * Judges the file and maps it to be read: a {@link SealedFile} of {@code bytes} bytes, pages of which may be
     * missing until they are accessed. Otherwise as {@link #map(long)}.
     *
     * @throws IOException if it is anything else, or the system refuses
     */
    public SealedFile mapSparse(long bytes) throws IOException {
        return map(bytes, false, SealedFile.SEALS, false);
    }

    /**
     * Judges the file and maps it: a slab of {@code bytes} bytes, whose size nobody can change. Its maker may write it,
     * and pages of it may be missing until they are accessed. The descriptor is closed, also if that fails.
     *
     * @param writable whether it is mapped to be written, too
     * @throws IOException if it is anything else, cannot be written, or the system refuses
     */
    public SealedFile mapSlab(long bytes, boolean writable) throws IOException {
        return map(bytes, writable, SIZE_SEALS, false);
    }

    private SealedFile map(long bytes, boolean writable, int seals, boolean whole) throws IOException {
        int open = descriptor;
        if (open == SealedFile.NO_DESCRIPTOR) {
            throw new IllegalStateException("a received file was closed");
        }
        boolean judged = false;
        try {
            judge(open, bytes, seals, whole);
            judged = true;
            Arena arena = Arena.ofShared();
            try {
                int more = whole ? Libc.MAP_POPULATE() : 0;
                MemorySegment memory = MemoryCalls.map(open, bytes, writable, more, arena, WHAT);
                return new SealedFile(arena, memory, SealedFile.NO_DESCRIPTOR);
            } catch (IOException | RuntimeException | Error e) {
                arena.close();
                throw e;
            }
        } finally {
            if (judged) {
                descriptor = SealedFile.NO_DESCRIPTOR;
                SocketCalls.close(open);
            } else {
                close();
            }
        }
    }

    // The seals first: what is seen behind them stays as it is, and whatever has none, such as a file of a file system
    // that does not answer, is asked nothing else.
    private static void judge(int open, long bytes, int expected, boolean whole) throws IOException {
        int seals = MemoryCalls.seals(open, WHAT);
        if ((seals & expected) != expected) {
            throw new IOException(String.format(
                    "%s has the seals %x, expected at least %x, which keep others from truncating or writing it",
                    WHAT, seals, expected));
        }
        long type = MemoryCalls.fileSystem(open, WHAT);
        if (type != LinuxFiles.TMPFS_MAGIC) {
            // In huge pages a page can be missing where the file has no hole.
            throw new IOException(String.format(
                    "%s is in a file system of type %x, expected a file in memory (%x)",
                    WHAT, type, LinuxFiles.TMPFS_MAGIC));
        }
        long size = MemoryCalls.size(open, WHAT);
        if (size != bytes) {
            throw new IOException(WHAT + " has " + size + " bytes, expected " + bytes);
        }
        long hole = whole ? MemoryCalls.firstHole(open, WHAT) : bytes;
        if (hole != bytes) {
            throw new IOException(WHAT + " has a hole at " + hole + ", expected none in " + bytes + " bytes");
        }
    }

    /** Closes the descriptor, soon; without effect if that is done. */
    @Override
    public void close() {
        int open = descriptor;
        descriptor = SealedFile.NO_DESCRIPTOR;
        if (open != SealedFile.NO_DESCRIPTOR) {
            DescriptorCloser.close(open);
        }
    }
}
