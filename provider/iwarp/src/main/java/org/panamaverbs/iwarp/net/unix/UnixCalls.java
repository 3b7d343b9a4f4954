package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
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
    private static final FunctionDescriptor WITH_MEMORY =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SOCKET =
            LibcCalls.handle("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), false);
    private static final MethodHandle BIND = LibcCalls.handle("bind", WITH_MEMORY, false);
    private static final MethodHandle CONNECT = LibcCalls.handle("connect", WITH_MEMORY, false);
    private static final MethodHandle ACCEPT = LibcCalls.handle(
            "accept4", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT), false);
    private static final MethodHandle GETSOCKOPT = LibcCalls.handle(
            "getsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG), false);
    private static final MethodHandle SETSOCKOPT = LibcCalls.handle(
            "setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT), false);
    private static final MethodHandle GETEUID = LibcCalls.handle("geteuid", FunctionDescriptor.of(JAVA_INT), false);
    private static final MethodHandle FCHMOD =
            LibcCalls.handle("fchmod", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), false);
    private static final MethodHandle SHUTDOWN =
            LibcCalls.handle("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), false);
    private static final MethodHandle RECV =
            LibcCalls.handle("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT), false);
    private static final MethodHandle GETRLIMIT =
            LibcCalls.handle("getrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG), false);
    private static final FunctionDescriptor MESSAGE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMSG = LibcCalls.handle("sendmsg", MESSAGE, false);
    private static final MethodHandle RECVMSG = LibcCalls.handle("recvmsg", MESSAGE, false);

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

    /** Opens a socket of {@code type} that never waits. */
    static int socket(int type, UnixName name) throws IOException {
        return (int) CallErrors.check(
                "socket", name, call(state -> (int) SOCKET.invokeExact(state, Libc.AF_UNIX(), type | FLAGS, 0)));
    }

    static long bind(int descriptor, UnixName name) {
        return withName(BIND, descriptor, name);
    }

    /** Sets the mode that a socket's file will have, less what the process's mask forbids. */
    static long mode(int descriptor, int mode) {
        return call(state -> (int) FCHMOD.invokeExact(state, descriptor, mode));
    }

    static long connect(int descriptor, UnixName name) {
        return withName(CONNECT, descriptor, name);
    }

    private static long withName(MethodHandle handle, int descriptor, UnixName name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = name.encode(arena);
            int length = (int) address.byteSize();
            return call(state -> (int) handle.invokeExact(state, descriptor, address.address(), length));
        }
    }

    static long accept(int descriptor) {
        return call(state -> (int) ACCEPT.invokeExact(state, descriptor, 0L, 0L, FLAGS));
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
            return call(state -> (int) SETSOCKOPT.invokeExact(
                    state, descriptor, Libc.SOL_SOCKET(), option, number.address(), Integer.BYTES));
        }
    }

    /** Has the socket take nothing any more. */
    static void shutDown(int descriptor) {
        call(state -> (int) SHUTDOWN.invokeExact(state, descriptor, Libc.SHUT_RDWR()));
    }

    /** Tells whether a connection that was shut down holds nothing that the peer has sent. */
    static boolean isEmpty(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment octet = arena.allocate(1);
            int flags = Libc.MSG_PEEK() | Libc.MSG_DONTWAIT();
            return call(state -> (long) RECV.invokeExact(state, descriptor, octet.address(), 1L, flags)) == 0;
        }
    }

    /** Stores the credentials that the peer had when it connected or listened in {@code credentials}. */
    static long peerCredentials(int descriptor, MemorySegment credentials, MemorySegment length) {
        length.set(JAVA_INT, 0, LinuxFiles.UCRED_BYTES);
        return call(state -> (int) GETSOCKOPT.invokeExact(
                state, descriptor, Libc.SOL_SOCKET(), Libc.SO_PEERCRED(), credentials.address(), length.address()));
    }

    static int effectiveUser() {
        return (int) call(state -> Integer.toUnsignedLong((int) GETEUID.invokeExact(state)));
    }

    /**
     * Returns how many descriptors this process may have at once; as an unsigned number, since there may be no limit.
     */
    static long mostDescriptors() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(JAVA_LONG, 2);
            long result = call(state -> (int) GETRLIMIT.invokeExact(state, Libc.RLIMIT_NOFILE(), limits.address()));
            return result < 0 ? 0 : limits.get(JAVA_LONG, 0);
        }
    }

    static long send(int descriptor, MemorySegment message) {
        return call(state -> (long)
                SENDMSG.invokeExact(state, descriptor, message.address(), Libc.MSG_DONTWAIT() | Libc.MSG_NOSIGNAL()));
    }

    static long receive(int descriptor, MemorySegment message) {
        return call(state -> (long) RECVMSG.invokeExact(
                state, descriptor, message.address(), Libc.MSG_DONTWAIT() | Libc.MSG_CMSG_CLOEXEC()));
    }
}
