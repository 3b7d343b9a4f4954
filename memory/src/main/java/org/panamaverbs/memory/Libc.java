package org.panamaverbs.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The few functions of the Linux C library that memory needs, with {@code errno}. Absence is a value: see
 * {@link #unavailable}.
 */
final class Libc {
    /** From {@code bits/mman-linux.h}; the numbers hold on every Linux that the JDK supports. */
    private static final int PROT_READ_WRITE = 0x3;

    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    static final int MAP_HUGETLB = 0x40000;
    private static final long MAP_FAILED = -1;

    /** From {@code linux/memfd.h} and {@code linux/fcntl.h}. */
    private static final int MFD_CLOEXEC_ALLOW_SEALING = 0x3;

    /** From {@code linux/mman.h}, since Linux 5.14. */
    private static final int MADV_POPULATE_WRITE = 23;

    private static final int EINVAL = 22;

    private static final int F_ADD_SEALS = 1033;
    private static final int F_SEAL_SEAL_SHRINK_GROW = 0x7;

    private final StructLayout callState;
    private final VarHandle errno;
    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle madvise;
    private final MethodHandle memfdCreate;
    private final MethodHandle ftruncate;
    private final MethodHandle fcntl;
    private final MethodHandle close;

    private Libc() {
        callState = Linker.Option.captureStateLayout();
        errno = callState.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        mmap = bind(
                "mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        munmap = bind("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
        madvise = bind("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
        memfdCreate = bind("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        ftruncate = bind("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
        fcntl = bind(
                "fcntl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                Linker.Option.firstVariadicArg(2));
        close = bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    /** A call that the kernel refused; the message names call and errno. */
    static final class CallFailed extends Exception {
        private static final long serialVersionUID = 1;

        CallFailed(String call, int errno) {
            super(call + " failed: " + describe(errno));
        }

        private static String describe(int errno) {
            return switch (errno) {
                case 1 -> "EPERM (operation not permitted)";
                case 12 -> "ENOMEM (not enough memory)";
                case 14 -> "EFAULT (no pages to be had there, such as by a limit of the control group)";
                case 13 -> "EACCES (permission denied)";
                case 22 -> "EINVAL (invalid argument)";
                case 23 -> "ENFILE (too many open files in the system)";
                case 24 -> "EMFILE (too many open files in the process)";
                case 27 -> "EFBIG (file too large)";
                case 38 -> "ENOSYS (not in this kernel)";
                default -> "errno " + errno;
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
            MemorySegment state = call.allocate(callState);
            address = (MemorySegment) mmap.invokeExact(
                    state, MemorySegment.NULL, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS | extraFlags, -1, 0L);
            if (address.address() == MAP_FAILED) {
                throw new CallFailed("mmap of " + bytes + " bytes", errno(state));
            }
        } catch (Throwable e) {
            throw rethrow(e);
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
            MemorySegment state = call.allocate(callState);
            if ((int) madvise.invokeExact(state, mapped, mapped.byteSize(), MADV_POPULATE_WRITE) == 0) {
                return true;
            }
            if (errno(state) == EINVAL) {
                return false;
            }
            throw new CallFailed("madvise(MADV_POPULATE_WRITE) of " + mapped.byteSize() + " bytes", errno(state));
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** Creates an anonymous file of fixed size and returns its descriptor. */
    int createMemoryFile(String name, long bytes) throws CallFailed {
        int fd = memoryFile(name);
        try {
            setSize(fd, bytes);
            seal(fd);
        } catch (Throwable e) {
            close(fd);
            throw e;
        }
        return fd;
    }

    /** Closes a file descriptor. */
    void close(int fd) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(callState);
            if ((int) close.invokeExact(state, fd) != 0) {
                throw new IllegalStateException(new CallFailed("close of descriptor " + fd, errno(state)));
            }
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private int memoryFile(String name) throws CallFailed {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(callState);
            int fd = (int) memfdCreate.invokeExact(state, call.allocateFrom(name), MFD_CLOEXEC_ALLOW_SEALING);
            if (fd < 0) {
                throw new CallFailed("memfd_create", errno(state));
            }
            return fd;
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    private void setSize(int fd, long bytes) throws CallFailed {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(callState);
            if ((int) ftruncate.invokeExact(state, fd, bytes) != 0) {
                throw new CallFailed("ftruncate to " + bytes + " bytes", errno(state));
            }
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** No other process shall be able to shrink the file under a mapping: access to the lost pages would fault. */
    private void seal(int fd) throws CallFailed {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(callState);
            if ((int) fcntl.invokeExact(state, fd, F_ADD_SEALS, F_SEAL_SEAL_SHRINK_GROW) != 0) {
                throw new CallFailed("fcntl(F_ADD_SEALS)", errno(state));
            }
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    private void unmap(long address, long bytes) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment state = call.allocate(callState);
            if ((int) munmap.invokeExact(state, MemorySegment.ofAddress(address), bytes) != 0) {
                throw new IllegalStateException(new CallFailed("munmap of " + bytes + " bytes", errno(state)));
            }
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private static MethodHandle bind(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new NoSuchElementException("the C library has no " + name));
        Linker.Option[] withErrno = new Linker.Option[options.length + 1];
        withErrno[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(options, 0, withErrno, 1, options.length);
        return linker.downcallHandle(function, type, withErrno);
    }

    private int errno(MemorySegment state) {
        return (int) errno.get(state, 0L);
    }

    private static CallFailed rethrow(Throwable e) {
        if (e instanceof CallFailed failed) {
            return failed;
        }
        throw unchecked(e);
    }

    private static RuntimeException unchecked(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
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
            } else {
                try {
                    libc = new Libc();
                } catch (IllegalCallerException e) {
                    reason = "native access is denied. Remedy: java --enable-native-access=" + callerName();
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
