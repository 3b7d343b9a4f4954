package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Sockaddr;
import org.panamaverbs.bindings.libc.Libc;

/** A socket that listens, by system calls. */
final class LibcServer extends LibcDescriptor implements TcpServer {
    private static final MethodHandle ACCEPT = LibcCalls.handle(
            "accept4", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT), false);
    private static final int FLAGS = Libc.SOCK_NONBLOCK() | Libc.SOCK_CLOEXEC();
    // What is between this side and a connection that broke before it was accepted.
    private static final int[] BROKEN = {
        Libc.EINTR(),
        Libc.ECONNABORTED(),
        Libc.EPROTO(),
        Libc.ENETDOWN(),
        Libc.ENETUNREACH(),
        Libc.EHOSTDOWN(),
        Libc.EHOSTUNREACH()
    };

    LibcServer(int descriptor) {
        super(descriptor);
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        return LibcSockets.localAddress(descriptor());
    }

    @Override
    public @Nullable TcpSocket accept() throws IOException {
        long result = next();
        while (result < 0 && isBroken((int) -result)) {
            result = next();
        }
        if (result == -Libc.EAGAIN()) {
            return null;
        }
        if (result < 0) {
            throw LibcErrors.of("accept", (int) -result);
        }
        try {
            return LibcSocket.of((int) result, LibcSockets.answered("accept"));
        } catch (IOException | RuntimeException e) {
            LibcSockets.close((int) result);
            throw e;
        }
    }

    private long next() throws IOException {
        LibcCalls calls = LibcCalls.ofThread();
        long address = LibcSockets.expectAddress();
        long length = address + Sockaddr.MAX_BYTES;
        try {
            return calls.checked((int) ACCEPT.invokeExact(calls.state(), descriptor(), address, length, FLAGS));
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw LibcCalls.unexpected(e);
        }
    }

    private static boolean isBroken(int errno) {
        for (int broken : BROKEN) {
            if (errno == broken) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        closeDescriptor();
    }
}
