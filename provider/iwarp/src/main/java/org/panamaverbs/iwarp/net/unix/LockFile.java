package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.LinuxFiles;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.call.LibcCalls;
import org.panamaverbs.iwarp.net.call.SocketCalls;

/**
 * A file whose locked octets tell others something, as long as this is open and the process lives: shared locks of an
 * open file description, so that each instance is a holder of its own, also within a process. What is in the file does
 * not matter. Any thread.
 */
public final class LockFile implements AutoCloseable {
    private static final MethodHandle OPEN = LibcCalls.handle(
            "open", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    // Whatever lies there instead of a file does not make this wait.
    private static final int FLAGS = LinuxFiles.O_RDONLY | LinuxFiles.O_NOFOLLOW | Libc.O_CLOEXEC() | Libc.O_NONBLOCK();
    private static final int MODE = 0644;

    private final Path path;
    // Guarded by this.
    private int descriptor;

    private LockFile(Path path, int descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    /**
     * Opens the file, which must be there.
     *
     * @throws IOException if it is not, is a symbolic link, or may not be read
     */
    public static LockFile open(Path path) throws IOException {
        return new LockFile(path, (int) CallErrors.check("open", path, open(path, FLAGS)));
    }

    /** Opens the file, and makes it first, readable by all that the process's mask allows, if it is not there. */
    public static LockFile openOrCreate(Path path) throws IOException {
        // Not at once: in a sticky directory Linux lets nobody open another's file with O_CREAT (fs.protected_regular).
        long result = open(path, FLAGS);
        if (result == -Errno.ENOENT) {
            result = open(path, FLAGS | Libc.O_CREAT() | Libc.O_EXCL());
        }
        if (result == -Errno.EEXIST) {
            result = open(path, FLAGS);
        }
        return new LockFile(path, (int) CallErrors.check("open", path, result));
    }

    private static long open(Path path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = UnixName.ofFile(path, arena);
            return UnixCalls.call(state -> (int) OPEN.invokeExact(state, name.address(), flags, MODE));
        }
    }

    /**
     * Locks {@code octet}, beside others who may have it as well.
     *
     * @param octet 0 or more
     * @throws IOException if the system refuses, or somebody has a lock of its own there
     */
    public void share(long octet) throws IOException {
        set(octet, LinuxFiles.F_RDLCK);
    }

    /** Ends this instance's lock of {@code octet}, if it has one. */
    public void release(long octet) throws IOException {
        set(octet, LinuxFiles.F_UNLCK);
    }

    private synchronized void set(long octet, int type) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            control("fcntl(F_OFD_SETLK)", LinuxFiles.F_OFD_SETLK, lock(arena, octet, type));
        }
    }

    /** Tells whether another instance has locked {@code octet}, of this process or of any other. */
    public synchronized boolean isShared(long octet) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment lock = lock(arena, octet, LinuxFiles.F_WRLCK);
            control("fcntl(F_OFD_GETLK)", LinuxFiles.F_OFD_GETLK, lock);
            return lock.get(JAVA_SHORT, LinuxFiles.FLOCK_TYPE) != LinuxFiles.F_UNLCK;
        }
    }

    private static MemorySegment lock(Arena arena, long octet, int type) {
        MemorySegment lock = arena.allocate(LinuxFiles.FLOCK_BYTES, Long.BYTES);
        lock.set(JAVA_SHORT, LinuxFiles.FLOCK_TYPE, (short) type);
        lock.set(JAVA_SHORT, LinuxFiles.FLOCK_WHENCE, (short) LinuxFiles.SEEK_SET);
        lock.set(JAVA_LONG, LinuxFiles.FLOCK_START, octet);
        lock.set(JAVA_LONG, LinuxFiles.FLOCK_LENGTH, 1);
        return lock;
    }

    private void control(String call, int request, MemorySegment lock) throws IOException {
        if (descriptor == SealedFile.NO_DESCRIPTOR) {
            throw new IllegalStateException("the lock file " + path + " was closed");
        }
        CallErrors.check(call, path, MemoryCalls.control(descriptor, request, lock.address()));
    }

    /** Ends all locks of this instance; without effect if that is done. The file stays. */
    @Override
    public synchronized void close() {
        int open = descriptor;
        descriptor = SealedFile.NO_DESCRIPTOR;
        if (open != SealedFile.NO_DESCRIPTOR) {
            SocketCalls.close(open);
        }
    }
}
