package org.panamaverbs.bindings;

import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The error numbers of Linux: how a downcall captures them, and what they are called.
 *
 * <p>No generated function captures errno. To have it, build a handle from the function's descriptor by
 * {@link Downcalls#withErrno(String, java.lang.foreign.FunctionDescriptor, Linker.Option...)}, pass a segment of
 * {@link #CAPTURE_LAYOUT} as the first argument of each call, and read it with {@link #captured} after a call that
 * reported failure. The segment belongs to the caller and serves one thread at a time.
 *
 * <pre>{@code
 * MethodHandle open = verbs.withErrno("ibv_open_device", Ibverbs.ibv_open_device$descriptor());
 * MemorySegment state = arena.allocate(Errno.CAPTURE_LAYOUT);
 * MemorySegment context = (MemorySegment) open.invokeExact(state, device);
 * if (context.address() == 0) {
 *     report(Errno.describe(Errno.captured(state)));
 * }
 * }</pre>
 */
public final class Errno {
    /** Not permitted. */
    public static final int EPERM = 1;
    /** No such file, directory or object. */
    public static final int ENOENT = 2;
    /** Interrupted by a signal. */
    public static final int EINTR = 4;
    /** Input or output failed. */
    public static final int EIO = 5;
    /** Would block: try again. */
    public static final int EAGAIN = 11;
    /** Out of memory, or over the memlock limit. */
    public static final int ENOMEM = 12;
    /** Access denied. */
    public static final int EACCES = 13;
    /** Bad address. */
    public static final int EFAULT = 14;
    /** In use. */
    public static final int EBUSY = 16;
    /** Exists already. */
    public static final int EEXIST = 17;
    /** No such device. */
    public static final int ENODEV = 19;
    /** Invalid argument. */
    public static final int EINVAL = 22;
    /** Too many open files in this process. */
    public static final int EMFILE = 24;
    /** Larger than a file may be, by the limit of the process or the file system. */
    public static final int EFBIG = 27;
    /** No space left. */
    public static final int ENOSPC = 28;
    /** Function not implemented by this kernel. */
    public static final int ENOSYS = 38;
    /** Protocol error. */
    public static final int EPROTO = 71;
    /** Message too long. */
    public static final int EMSGSIZE = 90;
    /** Operation not supported. */
    public static final int EOPNOTSUPP = 95;
    /** Address in use. */
    public static final int EADDRINUSE = 98;
    /** Address not available on this machine. */
    public static final int EADDRNOTAVAIL = 99;
    /** Network unreachable. */
    public static final int ENETUNREACH = 101;
    /** Connection reset by the peer. */
    public static final int ECONNRESET = 104;
    /** Too many descriptors on their way in Unix sockets. */
    public static final int ETOOMANYREFS = 109;
    /** Timed out. */
    public static final int ETIMEDOUT = 110;
    /** Connection refused. */
    public static final int ECONNREFUSED = 111;
    /** Host unreachable. */
    public static final int EHOSTUNREACH = 113;
    /** Operation in progress. */
    public static final int EINPROGRESS = 115;

    /** The state that a handle made with {@link #capture()} fills. */
    public static final StructLayout CAPTURE_LAYOUT = Linker.Option.captureStateLayout();

    private static final VarHandle ERRNO = CAPTURE_LAYOUT.varHandle(PathElement.groupElement("errno"));

    /**
     * asm-generic/errno-base.h and asm-generic/errno.h: the numbers of all architectures but Alpha, MIPS, PA-RISC,
     * SPARC.
     */
    private static final String TABLE = """
            1 EPERM not permitted
            2 ENOENT no such file, directory or object
            3 ESRCH no such process
            4 EINTR interrupted by a signal
            5 EIO input or output failed
            6 ENXIO no such device or address
            7 E2BIG argument list too long
            9 EBADF not an open file descriptor
            11 EAGAIN would block, try again
            12 ENOMEM out of memory, or over the memlock limit
            13 EACCES access denied
            14 EFAULT bad address
            16 EBUSY in use
            17 EEXIST exists already
            19 ENODEV no such device
            20 ENOTDIR not a directory
            21 EISDIR is a directory
            22 EINVAL invalid argument
            23 ENFILE too many open files on this machine
            24 EMFILE too many open files in this process
            25 ENOTTY device does not know this request
            27 EFBIG file too large
            28 ENOSPC no space left
            29 ESPIPE not seekable
            30 EROFS file system is read-only
            32 EPIPE broken pipe
            34 ERANGE result out of range
            35 EDEADLK would deadlock
            36 ENAMETOOLONG name too long
            38 ENOSYS function not implemented by this kernel
            61 ENODATA no data available
            62 ETIME timer expired
            71 EPROTO protocol error
            74 EBADMSG bad message
            75 EOVERFLOW value too large for its type
            88 ENOTSOCK not a socket
            89 EDESTADDRREQ destination address required
            90 EMSGSIZE message too long
            91 EPROTOTYPE wrong protocol for this socket
            92 ENOPROTOOPT no such protocol option
            93 EPROTONOSUPPORT protocol not supported
            94 ESOCKTNOSUPPORT socket type not supported
            95 EOPNOTSUPP operation not supported
            96 EPFNOSUPPORT protocol family not supported
            97 EAFNOSUPPORT address family not supported
            98 EADDRINUSE address in use
            99 EADDRNOTAVAIL address not available on this machine
            100 ENETDOWN network is down
            101 ENETUNREACH network unreachable
            102 ENETRESET connection dropped by the network
            103 ECONNABORTED connection aborted
            104 ECONNRESET connection reset by the peer
            105 ENOBUFS no buffer space
            106 EISCONN connected already
            107 ENOTCONN not connected
            108 ESHUTDOWN shut down already
            109 ETOOMANYREFS too many descriptors on their way in Unix sockets
            110 ETIMEDOUT timed out
            111 ECONNREFUSED connection refused
            112 EHOSTDOWN host is down
            113 EHOSTUNREACH host unreachable
            114 EALREADY in progress already
            115 EINPROGRESS operation in progress
            116 ESTALE stale handle
            121 EREMOTEIO input or output failed at the remote end
            125 ECANCELED canceled
            """;

    private static final int TABLE_SIZE = 126;
    private static final @Nullable String[] NAMES = new @Nullable String[TABLE_SIZE];
    private static final @Nullable String[] TEXTS = new @Nullable String[TABLE_SIZE];

    static {
        for (String line : TABLE.lines().toList()) {
            String[] columns = line.split(" ", 3);
            int number = Integer.parseInt(columns[0]);
            NAMES[number] = columns[1];
            TEXTS[number] = columns[2];
        }
    }

    private Errno() {}

    /**
     * The linker option that makes a downcall handle take a segment of {@link #CAPTURE_LAYOUT} first and store errno
     * there.
     */
    public static Linker.Option capture() {
        return Linker.Option.captureCallState("errno");
    }

    /**
     * The error number that the last call with this state left there; meaningful only if that call reported failure.
     */
    public static int captured(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    /** The symbol of an error number such as {@code ENOENT}, or {@code errno 4711} where the table has none. */
    public static String name(int errno) {
        String name = errno >= 0 && errno < TABLE_SIZE ? NAMES[errno] : null;
        return name != null ? name : "errno " + errno;
    }

    /** What an error number means, in a few words; {@code unknown error} where the table has none. */
    public static String text(int errno) {
        String text = errno >= 0 && errno < TABLE_SIZE ? TEXTS[errno] : null;
        return text != null ? text : "unknown error";
    }

    /** Symbol, number and meaning for a message: {@code ENOENT (2): no such file, directory or object}. */
    public static String describe(int errno) {
        return name(errno) + " (" + errno + "): " + text(errno);
    }
}
