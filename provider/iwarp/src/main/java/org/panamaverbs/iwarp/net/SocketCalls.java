package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.net.SocketException;
import org.panamaverbs.bindings.Sockaddr;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.spi.support.DeferredLog;

/** The system calls that make, set, ask and close sockets; not those that move bytes. */
public final class SocketCalls {
    private static final int TYPE = Libc.SOCK_STREAM() | Libc.SOCK_NONBLOCK() | Libc.SOCK_CLOEXEC();
    private static final MethodHandle SOCKET = LibcCalls.handle("socket");
    private static final MethodHandle CLOSE = LibcCalls.handle("close");
    private static final MethodHandle LISTEN = LibcCalls.handle("listen");
    private static final MethodHandle SETSOCKOPT = LibcCalls.handle("setsockopt");
    private static final MethodHandle BIND = LibcCalls.handle("bind");
    private static final MethodHandle CONNECT = LibcCalls.handle("connect");
    private static final MethodHandle GETSOCKNAME = LibcCalls.handle("getsockname");
    private static final MethodHandle GETPEERNAME = LibcCalls.handle("getpeername");

    private SocketCalls() {}

    /** Opens a socket that never waits. */
    public static int socket(boolean ipv6) throws IOException {
        return check("socket", open(ipv6));
    }

    /**
     * Tells whether the kernel has IPv6.
     *
     * @throws IOException if nobody can tell now, as without a descriptor
     */
    public static boolean hasIpv6() throws IOException {
        long opened = open(true);
        boolean lacksRoom = opened == -Libc.EMFILE()
                || opened == -Libc.ENFILE()
                || opened == -Libc.ENOMEM()
                || opened == -Libc.ENOBUFS();
        if (opened >= 0 || lacksRoom) {
            close(check("socket", opened));
        }
        return opened >= 0;
    }

    private static long open(boolean ipv6) {
        LibcCalls calls = LibcCalls.take();
        try {
            int family = ipv6 ? Libc.AF_INET6() : Libc.AF_INET();
            return calls.callInt(SOCKET, family, TYPE, 0);
        } finally {
            calls.giveBack();
        }
    }

    /** Has {@code descriptor} listen; the system keeps {@code backlog} connections until they are accepted. */
    public static void listen(int descriptor, int backlog) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            check("listen", calls.callInt(LISTEN, descriptor, backlog, 0));
        } finally {
            calls.giveBack();
        }
    }

    private static int check(String call, long result) throws IOException {
        if (result < 0) {
            throw LibcErrors.of(call, (int) -result);
        }
        return (int) result;
    }

    /** Closes {@code descriptor}; what goes wrong with that is of no use to anybody. */
    public static void close(int descriptor) {
        LibcCalls calls = LibcCalls.take();
        try {
            close(descriptor, calls);
        } finally {
            calls.giveBack();
        }
    }

    /** Returns what closes {@code descriptor}, which may take long: no other call waits for what that needs. */
    public static Runnable closing(int descriptor) {
        LibcCalls calls = new LibcCalls();
        return () -> close(descriptor, calls);
    }

    /** Closes {@code descriptor} by {@code calls}. */
    public static void close(int descriptor, LibcCalls calls) {
        long result = calls.callInt(CLOSE, descriptor, 0, 0);
        if (result < 0) {
            IOException cause = LibcErrors.of("close", (int) -result);
            DeferredLog.log(SocketCalls.class, System.Logger.Level.DEBUG, "a socket did not close cleanly", cause);
        }
    }

    /** Sets an option that is a number. */
    public static void option(int descriptor, int level, int name, int value) throws IOException {
        option(descriptor, level, name, value, 0, Integer.BYTES);
    }

    /** Has {@code descriptor} reset its connection when it is closed. */
    public static void lingerNot(int descriptor) throws IOException {
        option(descriptor, Libc.SOL_SOCKET(), Libc.SO_LINGER(), 1, 0, 2 * Integer.BYTES);
    }

    private static void option(int descriptor, int level, int name, int value, int second, int length)
            throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            MemorySegment small = calls.small();
            small.set(JAVA_INT, 0, value);
            small.set(JAVA_INT, Integer.BYTES, second);
            check("setsockopt", calls.callInt(SETSOCKOPT, descriptor, level, name, small.address(), length));
        } finally {
            calls.giveBack();
        }
    }

    /** Binds {@code descriptor}. */
    public static void bind(int descriptor, InetSocketAddress local) throws IOException {
        long result = withAddress(BIND, descriptor, local);
        if (result < 0) {
            throw LibcErrors.binding((int) -result);
        }
    }

    /** Begins to connect {@code descriptor}; the negative error number if that failed. */
    public static int connect(int descriptor, InetSocketAddress peer) {
        return (int) withAddress(CONNECT, descriptor, peer);
    }

    private static long withAddress(MethodHandle handle, int descriptor, InetSocketAddress address) {
        LibcCalls calls = LibcCalls.take();
        try {
            int length = Sockaddr.encode(address, calls.small());
            return calls.callInt(handle, descriptor, calls.small().address(), length);
        } finally {
            calls.giveBack();
        }
    }

    /** Returns the address that {@code descriptor} is bound to. */
    public static InetSocketAddress localAddress(int descriptor) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            long address = expectAddress(calls);
            check("getsockname", calls.callInt(GETSOCKNAME, descriptor, address, address + Sockaddr.MAX_BYTES));
            return answered("getsockname", calls);
        } finally {
            calls.giveBack();
        }
    }

    /** Tells whether {@code descriptor} is connected. */
    public static boolean hasPeer(int descriptor) {
        LibcCalls calls = LibcCalls.take();
        try {
            long address = expectAddress(calls);
            return calls.callInt(GETPEERNAME, descriptor, address, address + Sockaddr.MAX_BYTES) == 0;
        } finally {
            calls.giveBack();
        }
    }

    /** Returns where a call may store an address; its length is {@link Sockaddr#MAX_BYTES} bytes behind. */
    public static long expectAddress(LibcCalls calls) {
        MemorySegment small = calls.small();
        small.set(JAVA_INT, Sockaddr.MAX_BYTES, (int) Sockaddr.MAX_BYTES);
        return small.address();
    }

    /** Returns the address that {@code call} has stored. */
    public static InetSocketAddress answered(String call, LibcCalls calls) throws SocketException {
        return Sockaddr.decode(calls.small())
                .orElseThrow(() -> new SocketException(call + " returned an address that is not IP"));
    }
}
