package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Sockaddr;
import org.panamaverbs.bindings.libc.Libc;

/** A socket that listens, by system calls. */
final class LibcServer extends LibcDescriptor implements TcpServer {
    private static final MethodHandle ACCEPT = LibcCalls.handle("accept4");
    private static final int NONE = -1;
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
        return SocketCalls.localAddress(descriptor());
    }

    @Override
    public @Nullable TcpSocket accept() throws IOException {
        while (true) {
            LibcCalls calls = LibcCalls.take();
            int accepted;
            InetSocketAddress peer;
            try {
                accepted = acceptOne(calls);
                if (accepted == NONE) {
                    return null;
                }
                peer = peer(accepted, calls);
            } finally {
                calls.giveBack();
            }
            try {
                return LibcSocket.of(accepted, peer);
            } catch (IOException e) {
                // It was reset meanwhile, which some systems say already here: the next one is none the worse for it.
                SocketCalls.close(accepted);
            } catch (RuntimeException | Error e) {
                SocketCalls.close(accepted);
                throw e;
            }
        }
    }

    private int acceptOne(LibcCalls calls) throws IOException {
        long result = next(calls);
        while (result < 0 && isBroken((int) -result)) {
            result = next(calls);
        }
        if (result == -Libc.EAGAIN()) {
            return NONE;
        }
        if (result < 0) {
            throw LibcErrors.of("accept", (int) -result);
        }
        return (int) result;
    }

    private static InetSocketAddress peer(int accepted, LibcCalls calls) throws IOException {
        try {
            return SocketCalls.answered("accept", calls);
        } catch (IOException | RuntimeException | Error e) {
            SocketCalls.close(accepted, calls);
            throw e;
        }
    }

    private long next(LibcCalls calls) throws IOException {
        long address = SocketCalls.expectAddress(calls);
        return calls.callInt(ACCEPT, descriptor(), address, address + Sockaddr.MAX_BYTES, FLAGS, 0);
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
