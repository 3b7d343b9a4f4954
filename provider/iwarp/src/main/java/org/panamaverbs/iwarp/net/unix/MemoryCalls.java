package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.LinuxFiles;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcCalls;

/** The system calls on files in memory. */
final class MemoryCalls {
    private static final MethodHandle MEMFD_CREATE = LibcCalls.handle("memfd_create");
    private static final MethodHandle FALLOCATE = LibcCalls.handle("fallocate");
    private static final MethodHandle FTRUNCATE = LibcCalls.handle("ftruncate");
    private static final MethodHandle LSEEK = LibcCalls.handle("lseek");
    private static final MethodHandle FSTATFS = LibcCalls.handle("fstatfs");
    private static final MethodHandle MMAP = LibcCalls.handle("mmap");
    private static final MethodHandle MUNMAP = LibcCalls.handle("munmap");
    private static final MethodHandle FCNTL = LibcCalls.handle("fcntl", 2);
    private static final int FLAGS = Libc.MFD_CLOEXEC() | Libc.MFD_ALLOW_SEALING();

    private MemoryCalls() {}

    /** Makes an empty memory file that can be sealed; returns its descriptor. */
    static int create(String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            // Where vm.memfd_noexec is 2 files that could be executed are refused.
            long result = create(text, FLAGS | LinuxFiles.MFD_NOEXEC_SEAL);
            if (result == -Errno.EINVAL) {
                result = create(text, FLAGS);
            }
            return (int) CallErrors.check("memfd_create", name, result);
        }
    }

    private static long create(MemorySegment name, int flags) {
        return UnixCalls.callInt(MEMFD_CREATE, name.address(), flags, 0);
    }

    /** Gives the file {@code bytes} bytes, all of them in memory. */
    static void allocate(int descriptor, long bytes, Object file) throws IOException {
        long result;
        do {
            result = UnixCalls.callInt(FALLOCATE, descriptor, 0, 0, bytes, 0);
        } while (result == -Errno.EINTR);
        CallErrors.check("fallocate of " + bytes + " bytes", file, result);
    }

    /** Gives the file {@code bytes} bytes, each page with the first access to it. */
    static void resize(int descriptor, long bytes, Object file) throws IOException {
        long result;
        do {
            result = UnixCalls.callInt(FTRUNCATE, descriptor, bytes, 0);
        } while (result == -Errno.EINTR);
        CallErrors.check("ftruncate to " + bytes + " bytes", file, result);
    }

    /** Maps the whole file, with all its pages, until {@code arena} is closed. */
    static MemorySegment map(int descriptor, long bytes, boolean writable, Arena arena, Object file)
            throws IOException {
        return map(descriptor, bytes, writable, Libc.MAP_POPULATE(), arena, file);
    }

    /** Maps the whole file by {@code more} flags of mmap than that it is shared, until {@code arena} is closed. */
    static MemorySegment map(int descriptor, long bytes, boolean writable, int more, Arena arena, Object file)
            throws IOException {
        int protection = writable ? Libc.PROT_READ() | Libc.PROT_WRITE() : Libc.PROT_READ();
        int flags = Libc.MAP_SHARED() | more;
        long address = UnixCalls.callLong(MMAP, 0, bytes, protection, flags, descriptor, 0);
        if (address < 0 && address >= -4095) {
            throw CallErrors.of("mmap of " + bytes + " bytes", file, address);
        }
        try {
            MemorySegment mapped =
                    MemorySegment.ofAddress(address).reinterpret(bytes, arena, memory -> unmap(address, bytes));
            return writable ? mapped : mapped.asReadOnly();
        } catch (RuntimeException | Error e) {
            unmap(address, bytes);
            throw e;
        }
    }

    /** Allocates nothing: an arena does not try again what has no memory to unmap. */
    private static void unmap(long address, long bytes) {
        LibcCalls calls = LibcCalls.take();
        try {
            long result = calls.callInt(MUNMAP, address, bytes, 0);
            if (result < 0) {
                throw new IllegalStateException(CallErrors.of("munmap", bytes + " bytes", result));
            }
        } finally {
            calls.giveBack();
        }
    }

    static void addSeals(int descriptor, int seals, Object file) throws IOException {
        CallErrors.check("fcntl(F_ADD_SEALS)", file, control(descriptor, Libc.F_ADD_SEALS(), seals));
    }

    static int seals(int descriptor, Object file) throws IOException {
        return (int) CallErrors.check("fcntl(F_GET_SEALS)", file, control(descriptor, LinuxFiles.F_GET_SEALS, 0));
    }

    /** Makes the request of fcntl {@code request}, with a number or an address; answers its negative errno. */
    static long control(int descriptor, int request, long argument) {
        return UnixCalls.callInt(FCNTL, descriptor, request, argument);
    }

    /** Returns the bytes of the file. */
    static long size(int descriptor, Object file) throws IOException {
        return seek(descriptor, LinuxFiles.SEEK_END, file);
    }

    /** Returns where the first hole of the file is, or its end. */
    static long firstHole(int descriptor, Object file) throws IOException {
        return seek(descriptor, LinuxFiles.SEEK_HOLE, file);
    }

    private static long seek(int descriptor, int whence, Object file) throws IOException {
        return CallErrors.check("lseek", file, UnixCalls.callLong(LSEEK, descriptor, 0, whence, 0, 0, 0));
    }

    /** Returns the type of the file system that the file is in. */
    static long fileSystem(int descriptor, Object file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(LinuxFiles.STATFS_BYTES, Long.BYTES);
            CallErrors.check("fstatfs", file, UnixCalls.callInt(FSTATFS, descriptor, answer.address(), 0));
            return answer.get(JAVA_LONG, LinuxFiles.STATFS_TYPE);
        }
    }
}
