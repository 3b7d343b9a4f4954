package org.panamaverbs.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Architecture;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.Errno;

/**
 * The few functions of the Linux C library that memory needs, with {@code errno}. Absence is a value: see
 * {@link #unavailable}.
 */
final class Libc {
    /** From {@code bits/mman-linux.h}; the numbers hold on every Linux that the JDK supports. */
    static final int PROT_READ_WRITE = 0x3;

    static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    static final int MAP_HUGETLB = 0x40000;
    private static final long MAP_FAILED = -1;

    /** From {@code linux/memfd.h} and {@code linux/fcntl.h}. */
    static final int MFD_CLOEXEC_ALLOW_SEALING = 0x3;

    /** From {@code bits/mman-linux.h}. */
    static final int MADV_DONTNEED = 4;

    static final int MADV_NOHUGEPAGE = 15;

    /** From {@code linux/mman.h}, since Linux 5.14. */
    static final int MADV_POPULATE_WRITE = 23;

    static final int F_ADD_SEALS = 1033;
    static final int F_SEAL_SEAL_SHRINK_GROW = 0x7;

    /** Since Linux 5.1. */
    static final int F_SEAL_FUTURE_WRITE = 0x10;

    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle madvise;
    private final MethodHandle memfdCreate;
    private final MethodHandle ftruncate;
    private final MethodHandle fcntl;
    private final MethodHandle close;

    /** Where the calls that give back leave errno, by one thread at a time: they must not fail for want of memory. */
    private final MemorySegment ending = Arena.global().allocate(Errno.CAPTURE_LAYOUT);

    /** Where calls leave an errno that nobody asks for, by any threads at a time. */
    private final MemorySegment unread = Arena.global().allocate(Errno.CAPTURE_LAYOUT);

    private Libc() {
        Downcalls libc = new Downcalls(
                "the C library",
                Linker.nativeLinker().defaultLookup(),
                (function, shape, options) -> Linker.nativeLinker().downcallHandle(function, shape, options));
        mmap = libc.withErrno(
                "mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        munmap = libc.withErrno("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        madvise = libc.withErrno("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
        memfdCreate = libc.withErrno("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        ftruncate = libc.withErrno("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
        fcntl = libc.withErrno(
                "fcntl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                Linker.Option.firstVariadicArg(2));
        close = libc.withErrno("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    /** A call that the kernel refused; the message names call and errno. */
    static final class CallFailed extends Exception {
        private static final long serialVersionUID = 1;

        CallFailed(String call, int errno) {
            super(call + " failed: " + Errno.describe(errno) + remedy(errno));
        }

        private static String remedy(int errno) {
            return switch (errno) {
                case Errno.EFBIG ->
                    "; remedy: raise the limit of the size of files (ulimit -f), which counts for memory files too";
                case Errno.EMFILE -> "; remedy: raise the limit of open files (ulimit -n)";
                default -> "";
            };
        }
    }

    /** Why the functions cannot be called here, with the remedy; empty if they can. */
    static Optional<String> unavailable() {
        return Optional.ofNullable(Loaded.REASON);
    }

    /**
     * The functions.
     *
     * @throws UnsupportedOperationException with the reason and remedy, if they are {@link #unavailable}
     */
    static Libc require(String purpose) {
        Libc libc = Loaded.LIBC;
        if (libc == null) {
            throw new UnsupportedOperationException(purpose + " is not available: " + Loaded.REASON);
        }
        return libc;
    }

    /** Maps private, zeroed memory that is unmapped when the arena closes. */
    MemorySegment mapAnonymous(long bytes, int extraFlags, Arena arena) throws CallFailed {
        MemorySegment address;
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(Errno.CAPTURE_LAYOUT);
            address = (MemorySegment) mmap.invokeExact(
                    state, MemorySegment.NULL, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS | extraFlags, -1, 0L);
            if (address.address() == MAP_FAILED) {
                throw new CallFailed("mmap of " + bytes + " bytes", Errno.captured(state));
            }
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
        return address.reinterpret(bytes, arena, mapped -> unmap(mapped.address(), bytes));
    }

    /**
     * Has the kernel provide the writable pages of {@code mapped}, a whole number of pages, now. Where it cannot, the
     * first access to them would end the process by a SIGBUS.
     *
     * @return false if the kernel is older than Linux 5.14 and nothing was done
     * @throws CallFailed if it cannot: with ENOMEM, or with EFAULT where the access would raise the signal
     */
    boolean populate(MemorySegment mapped) throws CallFailed {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(Errno.CAPTURE_LAYOUT);
            if ((int) madvise.invokeExact(state, mapped, mapped.byteSize(), MADV_POPULATE_WRITE) == 0) {
                return true;
            }
            int errno = Errno.captured(state);
            if (errno == Errno.EINVAL) {
                return false;
            }
            throw new CallFailed(
                    "madvise(MADV_POPULATE_WRITE) of " + mapped.byteSize() + " bytes"
                            + (errno == Errno.EFAULT
                                    ? " (no pages are available; the control group may limit them)"
                                    : ""),
                    errno);
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Gives the kernel {@code advice} on whole pages, which it need not follow. */
    void advise(MemorySegment mapped, int advice) {
        try {
            int ignored = (int) madvise.invokeExact(unread, mapped, mapped.byteSize(), advice);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Creates an anonymous file, to be {@linkplain #seal sealed}, and returns its descriptor. */
    int createMemoryFile(String name, long bytes) throws CallFailed {
        int fd = memoryFile(name);
        try {
            setSize(fd, bytes);
        } catch (Throwable e) {
            close(fd);
            throw e;
        }
        return fd;
    }

    /** Closes a file descriptor; also where no memory is left. */
    void close(int fd) {
        synchronized (ending) {
            try {
                if ((int) close.invokeExact(ending, fd) != 0) {
                    throw new IllegalStateException(
                            new CallFailed("close of descriptor " + fd, Errno.captured(ending)));
                }
            } catch (Throwable e) {
                throw Downcalls.unexpected(e);
            }
        }
    }

    private int memoryFile(String name) throws CallFailed {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(Errno.CAPTURE_LAYOUT);
            int fd = (int) memfdCreate.invokeExact(state, call.allocateFrom(name), MFD_CLOEXEC_ALLOW_SEALING);
            if (fd < 0) {
                throw new CallFailed("memfd_create", Errno.captured(state));
            }
            return fd;
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private void setSize(int fd, long bytes) throws CallFailed {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(Errno.CAPTURE_LAYOUT);
            if ((int) ftruncate.invokeExact(state, fd, bytes) != 0) {
                throw new CallFailed("ftruncate to " + bytes + " bytes", Errno.captured(state));
            }
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * Fixes the size of a file: no other process shall be able to shrink it under a mapping, where access to the lost
     * pages would fault. With {@link #F_SEAL_FUTURE_WRITE} as {@code more}, it cannot be written but by who has mapped
     * it before; else 0.
     */
    void seal(int fd, int more) throws CallFailed {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(Errno.CAPTURE_LAYOUT);
            if ((int) fcntl.invokeExact(state, fd, F_ADD_SEALS, F_SEAL_SEAL_SHRINK_GROW | more) != 0) {
                throw new CallFailed("fcntl(F_ADD_SEALS)", Errno.captured(state));
            }
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private void unmap(long address, long bytes) {
        synchronized (ending) {
            try {
                if ((int) munmap.invokeExact(ending, address, bytes) != 0) {
                    throw new IllegalStateException(
                            new CallFailed("munmap of " + bytes + " bytes", Errno.captured(ending)));
                }
            } catch (Throwable e) {
                throw Downcalls.unexpected(e);
            }
        }
    }

    /** Binds once, with the first use. */
    private static final class Loaded {
        static final @Nullable Libc LIBC;
        static final @Nullable String REASON;

        static {
            Libc libc = null;
            String reason = null;
            if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
                reason = "it needs Linux, and this is " + System.getProperty("os.name");
            } else if (!Architecture.CURRENT.isKnown()) {
                reason = "it needs x86-64 or aarch64, and this is " + System.getProperty("os.arch");
            } else {
                try {
                    libc = new Libc();
                } catch (IllegalCallerException e) {
                    reason = "native access is denied; remedy: start java with --enable-native-access=" + callerName();
                } catch (RuntimeException | LinkageError e) {
                    reason = e.getMessage();
                }
            }
            LIBC = libc;
            REASON = reason;
        }

        private static String callerName() {
            Module caller = Libc.class.getModule();
            return caller.isNamed() ? caller.getName() : "ALL-UNNAMED";
        }
    }
}
