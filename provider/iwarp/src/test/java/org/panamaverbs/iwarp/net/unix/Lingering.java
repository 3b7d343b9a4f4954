package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcCalls;
import org.panamaverbs.iwarp.net.LibcDescriptor;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;

/** A socket with bytes that its peer never takes, whose last descriptor waits for that when it is closed. */
final class Lingering implements AutoCloseable {
    /** How long it waits. */
    static final int SECONDS = 30;

    private static final int BUFFER_BYTES = 16_384;
    private static final MethodHandle SETSOCKOPT = LibcCalls.handle(
            "setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT), false);

    private final TcpSocket far;

    /** Makes a socket whose only descriptors are then on their way from {@code to}, {@code count} times. */
    Lingering(UnixSocket to, int count) throws IOException {
        this(to, count, 0);
    }

    /** As the other, sent with the flags of sendmsg {@code flags}. */
    Lingering(UnixSocket to, int count, int flags) throws IOException {
        Sockets sockets = SystemSockets.libc();
        TcpServer server = sockets.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1, true);
        option((LibcDescriptor) server, Libc.SO_RCVBUF(), BUFFER_BYTES);
        TcpSocket near = sockets.open(server.localAddress().getAddress().getAddress().length == 16);
        LibcDescriptor socket = (LibcDescriptor) near;
        option(socket, Libc.SO_SNDBUF(), BUFFER_BYTES);
        near.connect(server.localAddress());
        TcpSocket accepted = server.accept();
        while (accepted == null) {
            accepted = server.accept();
        }
        far = accepted;
        server.close();
        ByteBuffer much = ByteBuffer.allocateDirect(1 << 20);
        while (near.write(much.clear()) > 0) {
            assertThat(much.capacity()).isPositive();
        }
        option(socket, Libc.SO_LINGER(), 1, SECONDS);
        SentDescriptors.send(to, socket.descriptorOrNone(), count, flags);
        // Not the last one.
        near.close();
    }

    private static void option(LibcDescriptor socket, int name, int... numbers) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(JAVA_INT, numbers);
            int length = (int) value.byteSize();
            assertThat(UnixCalls.call(state -> (int) SETSOCKOPT.invokeExact(
                            state, socket.descriptorOrNone(), Libc.SOL_SOCKET(), name, value.address(), length)))
                    .isZero();
        }
    }

    /** Tells whether its peer has not closed it. */
    boolean isOpen() {
        return far.isOpen();
    }

    /** Resets the connection: then nobody waits any more. */
    @Override
    public void close() {
        far.close(true);
    }
}
