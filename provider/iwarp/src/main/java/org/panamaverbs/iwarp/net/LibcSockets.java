package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.Sockaddr;
import org.panamaverbs.bindings.libc.Libc;

/** Sockets by system calls, for Linux on x86-64; to be touched only where {@link NativeLibrary#LIBC} is present. */
final class LibcSockets implements Sockets {
    private static final int TYPE = Libc.SOCK_STREAM() | Libc.SOCK_NONBLOCK() | Libc.SOCK_CLOEXEC();
    private static final MethodHandle SOCKET =
            LibcCalls.handle("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), false);
    private static final MethodHandle CLOSE =
            LibcCalls.handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), false);
    private static final MethodHandle LISTEN =
            LibcCalls.handle("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), false);
    private static final MethodHandle SETSOCKOPT = LibcCalls.handle(
            "setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT), false);
    private static final FunctionDescriptor WITH_ADDRESS =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle BIND = LibcCalls.handle("bind", WITH_ADDRESS, false);
    private static final MethodHandle CONNECT = LibcCalls.handle("connect", WITH_ADDRESS, false);
    private static final FunctionDescriptor FOR_ADDRESS =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GETSOCKNAME = LibcCalls.handle("getsockname", FOR_ADDRESS, false);
    private static final MethodHandle GETPEERNAME = LibcCalls.handle("getpeername", FOR_ADDRESS, false);
    static final LibcSockets INSTANCE = new LibcSockets();

    // Whether the kernel has IPv6, without which a wildcard address is IPv4's.
    private final boolean hasIpv6;

    private LibcSockets() {
        hasIpv6 = probeIpv6();
    }

    private static boolean probeIpv6() {
        try {
            close(socket(true));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String name() {
        return "libc";
    }

    @Override
    public Poller poller() throws IOException {
        return new EpollPoller();
    }

    @Override
    public TcpSocket open(boolean ipv6) throws IOException {
        int descriptor = socket(ipv6);
        try {
            return LibcSocket.of(descriptor, null);
        } catch (IOException | RuntimeException | Error e) {
            close(descriptor);
            throw e;
        }
    }

    @Override
    public TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress) throws IOException {
        InetAddress address = local.getAddress();
        boolean both = address.isAnyLocalAddress() && hasIpv6;
        boolean ipv6 = both || address instanceof Inet6Address;
        int descriptor = socket(ipv6);
        try {
            option(descriptor, Libc.SOL_SOCKET(), Libc.SO_REUSEADDR(), reuseAddress ? 1 : 0);
            if (ipv6) {
                option(descriptor, Libc.IPPROTO_IPV6(), Libc.IPV6_V6ONLY(), both ? 0 : 1);
            }
            bind(descriptor, both ? wildcard(local.getPort()) : local);
            check("listen", call(LISTEN, descriptor, backlog));
            return new LibcServer(descriptor);
        } catch (IOException | RuntimeException | Error e) {
            close(descriptor);
            throw e;
        }
    }

    private static InetSocketAddress wildcard(int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[16]), port);
    }

    // ---- calls ----------------------------------------------------------------------------------------------------

    private static int socket(boolean ipv6) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            int family = ipv6 ? Libc.AF_INET6() : Libc.AF_INET();
            return check("socket", calls.checked((int) SOCKET.invokeExact(calls.state(), family, TYPE, 0)));
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw LibcCalls.unexpected(e);
        } finally {
            calls.giveBack();
        }
    }

    private static long call(MethodHandle handle, int descriptor, int argument) {
        LibcCalls calls = LibcCalls.take();
        try {
            return calls.checked((int) handle.invokeExact(calls.state(), descriptor, argument));
        } catch (Throwable e) {
            throw LibcCalls.unexpected(e);
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
    static void close(int descriptor) {
        LibcCalls calls = LibcCalls.take();
        try {
            close(descriptor, calls);
        } finally {
            calls.giveBack();
        }
    }

    /** Closes {@code descriptor} by {@code calls}. */
    static void close(int descriptor, LibcCalls calls) {
        try {
            long result = calls.checked((int) CLOSE.invokeExact(calls.state(), descriptor));
            if (result < 0) {
                System.getLogger(LibcSockets.class.getName())
                        .log(System.Logger.Level.DEBUG, "a socket did not close cleanly", LibcErrors.of("close", (int)
                                -result));
            }
        } catch (Throwable e) {
            throw LibcCalls.unexpected(e);
        }
    }

    /** Sets an option that is a number. */
    static void option(int descriptor, int level, int name, int value) throws IOException {
        option(descriptor, level, name, value, 0, Integer.BYTES);
    }

    /** Has {@code descriptor} reset its connection when it is closed. */
    static void lingerNot(int descriptor) throws IOException {
        option(descriptor, Libc.SOL_SOCKET(), Libc.SO_LINGER(), 1, 0, 2 * Integer.BYTES);
    }

    private static void option(int descriptor, int level, int name, int value, int second, int length)
            throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            MemorySegment small = calls.small();
            small.set(JAVA_INT, 0, value);
            small.set(JAVA_INT, Integer.BYTES, second);
            check("setsockopt", calls.checked((int)
                    SETSOCKOPT.invokeExact(calls.state(), descriptor, level, name, small.address(), length)));
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw LibcCalls.unexpected(e);
        } finally {
            calls.giveBack();
        }
    }

    /** Binds {@code descriptor}. */
    static void bind(int descriptor, InetSocketAddress local) throws IOException {
        long result = withAddress(BIND, descriptor, local);
        if (result < 0) {
            throw LibcErrors.binding((int) -result);
        }
    }

    /** Begins to connect {@code descriptor}; the negative error number if that failed. */
    static int connect(int descriptor, InetSocketAddress peer) {
        return (int) withAddress(CONNECT, descriptor, peer);
    }

    private static long withAddress(MethodHandle handle, int descriptor, InetSocketAddress address) {
        LibcCalls calls = LibcCalls.take();
        try {
            int length = Sockaddr.encode(address, calls.small());
            return calls.checked((int)
                    handle.invokeExact(calls.state(), descriptor, calls.small().address(), length));
        } catch (Throwable e) {
            throw LibcCalls.unexpected(e);
        } finally {
            calls.giveBack();
        }
    }

    /** Returns the address that {@code descriptor} is bound to. */
    static InetSocketAddress localAddress(int descriptor) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            long address = expectAddress(calls);
            check("getsockname", calls.checked((int)
                    GETSOCKNAME.invokeExact(calls.state(), descriptor, address, address + Sockaddr.MAX_BYTES)));
            return answered("getsockname", calls);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw LibcCalls.unexpected(e);
        } finally {
            calls.giveBack();
        }
    }

    /** Tells whether {@code descriptor} is connected. */
    static boolean hasPeer(int descriptor) {
        LibcCalls calls = LibcCalls.take();
        try {
            long address = expectAddress(calls);
            return (int) GETPEERNAME.invokeExact(calls.state(), descriptor, address, address + Sockaddr.MAX_BYTES) == 0;
        } catch (Throwable e) {
            throw LibcCalls.unexpected(e);
        } finally {
            calls.giveBack();
        }
    }

    /** Returns where a call may store an address; its length is {@link Sockaddr#MAX_BYTES} octets behind. */
    static long expectAddress(LibcCalls calls) {
        MemorySegment small = calls.small();
        small.set(JAVA_INT, Sockaddr.MAX_BYTES, (int) Sockaddr.MAX_BYTES);
        return small.address();
    }

    /** Returns the address that {@code call} has stored. */
    static InetSocketAddress answered(String call, LibcCalls calls) throws SocketException {
        return Sockaddr.decode(calls.small())
                .orElseThrow(() -> new SocketException(call + " answered an address that is not IP"));
    }
}
