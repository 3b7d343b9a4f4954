package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.LinuxFiles;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcCalls;

/** The system calls on Unix sockets that are not made for each message. What fails answers the negative errno. */
final class UnixCalls {
    /** The option that lets the peer send descriptors, set by default. */
    // asm-generic/socket.h of Linux 6.16; most systems have older headers, so that nothing can compare it.
    static final int SO_PASSRIGHTS = 83;

    private static final int FLAGS = Libc.SOCK_NONBLOCK() | Libc.SOCK_CLOEXEC();
    private static final MethodHandle SOCKET = LibcCalls.handle("socket");
    private static final MethodHandle BIND = LibcCalls.handle("bind");
    private static final MethodHandle CONNECT = LibcCalls.handle("connect");
    private static final MethodHandle ACCEPT = LibcCalls.handle("accept4");
    private static final MethodHandle GETSOCKOPT = LibcCalls.handle("getsockopt");
    private static final MethodHandle SETSOCKOPT = LibcCalls.handle("setsockopt");
    private static final MethodHandle GETEUID = LibcCalls.handle("geteuid");
    private static final MethodHandle FCHMOD = LibcCalls.handle("fchmod");
    private static final MethodHandle SHUTDOWN = LibcCalls.handle("shutdown");
    private static final MethodHandle RECV = LibcCalls.handle("recv");
    private static final MethodHandle GETRLIMIT = LibcCalls.handle("getrlimit");
    private static final MethodHandle SENDMSG = LibcCalls.handle("sendmsg");
    private static final MethodHandle RECVMSG = LibcCalls.handle("recvmsg");

    private UnixCalls() {}

    /** A call, given where it stores errno. */
    interface Invocation {
        long invoke(MemorySegment state) throws Throwable;
    }

    /** Makes a call; answers the negative error number if it fails. */
    static long call(Invocation invocation) {
        LibcCalls calls = LibcCalls.take();
        try {
            return calls.checked(invocation.invoke(calls.state()));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        } finally {
            calls.giveBack();
        }
    }

    /** Calls {@code rare}, whose result is of 32 bits; answers the negative error number if it fails. */
    static long callInt(MethodHandle rare, long a, long b, long c, long d, long e) {
        LibcCalls calls = LibcCalls.take();
        try {
            return calls.callInt(rare, a, b, c, d, e);
        } finally {
            calls.giveBack();
        }
    }

    /** Calls {@code rare} of at most three arguments as the other method. */
    static long callInt(MethodHandle rare, long a, long b, long c) {
        return callInt(rare, a, b, c, 0, 0);
    }

    /** Calls {@code rare}, whose result is of 64 bits; answers the negative error number if it fails. */
    static long callLong(MethodHandle rare, long a, long b, long c, long d, long e, long f) {
        LibcCalls calls = LibcCalls.take();
        try {
            return calls.call(rare, a, b, c, d, e, f);
        } finally {
            calls.giveBack();
        }
    }

    /** Opens a socket of {@code type} that never waits. */
    static int socket(int type, UnixName name) throws IOException {
        return (int) CallErrors.check("socket", name, callInt(SOCKET, Libc.AF_UNIX(), type | FLAGS, 0));
    }

    static long bind(int descriptor, UnixName name) {
        return withName(BIND, descriptor, name);
    }

    /** Sets the mode that a socket's file will have, less what the process's mask forbids. */
    static long mode(int descriptor, int mode) {
        return callInt(FCHMOD, descriptor, mode, 0);
    }

    static long connect(int descriptor, UnixName name) {
        return withName(CONNECT, descriptor, name);
    }

    private static long withName(MethodHandle handle, int descriptor, UnixName name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = name.encode(arena);
            return callInt(handle, descriptor, address.address(), address.byteSize());
        }
    }

    static long accept(int descriptor) {
        return callInt(ACCEPT, descriptor, 0, 0, FLAGS, 0);
    }

    /**
     * Has bytes that the peer sends as urgent come in their turn. Else a call that passes such a one closes the
     * descriptors that came with it, on its own thread, and does not say so.
     */
    static long takeUrgentInTurn(int descriptor) {
        return option(descriptor, LinuxFiles.SO_OOBINLINE, 1);
    }

    /**
     * Has the system refuse descriptors where the peer sends them, or no longer; what connects to a socket that listens
     * begins as that one is. Without effect before Linux 6.16: then they come.
     */
    static void passRights(int descriptor, boolean passed) {
        option(descriptor, SO_PASSRIGHTS, passed ? 1 : 0);
    }

    private static long option(int descriptor, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocateFrom(JAVA_INT, value);
            return callInt(SETSOCKOPT, descriptor, Libc.SOL_SOCKET(), option, number.address(), Integer.BYTES);
        }
    }

    /** Has the socket take nothing any more. */
    static void shutDown(int descriptor) {
        callInt(SHUTDOWN, descriptor, Libc.SHUT_RDWR(), 0);
    }

    /** Tells whether a connection that was shut down holds nothing that the peer has sent. */
    static boolean isEmpty(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment octet = arena.allocate(1);
            int flags = Libc.MSG_PEEK() | Libc.MSG_DONTWAIT();
            return callLong(RECV, descriptor, octet.address(), 1, flags, 0, 0) == 0;
        }
    }

    /** Stores the credentials that the peer had when it connected or listened in {@code credentials}. */
    static long peerCredentials(int descriptor, MemorySegment credentials, MemorySegment length) {
        length.set(JAVA_INT, 0, LinuxFiles.UCRED_BYTES);
        return callInt(
                GETSOCKOPT, descriptor, Libc.SOL_SOCKET(), Libc.SO_PEERCRED(), credentials.address(), length.address());
    }

    static int effectiveUser() {
        return (int) callLong(GETEUID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Returns how many descriptors this process may have at once; as an unsigned number, since there may be no limit.
     */
    static long mostDescriptors() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(JAVA_LONG, 2);
            long result = callInt(GETRLIMIT, Libc.RLIMIT_NOFILE(), limits.address(), 0);
            return result < 0 ? 0 : limits.get(JAVA_LONG, 0);
        }
    }

    static long send(int descriptor, MemorySegment message) {
        return callLong(SENDMSG, descriptor, message.address(), Libc.MSG_DONTWAIT() | Libc.MSG_NOSIGNAL(), 0, 0, 0);
    }

    static long receive(int descriptor, MemorySegment message) {
        return callLong(RECVMSG, descriptor, message.address(), Libc.MSG_DONTWAIT() | Libc.MSG_CMSG_CLOEXEC(), 0, 0, 0);
    }
}
