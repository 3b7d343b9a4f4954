package org.panamaverbs.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Two ends of a connection, over sockets of one form or the other. */
record Pair(TcpSocket client, TcpSocket server) implements AutoCloseable {
    static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    static Stream<Arguments> forms() {
        return Stream.of("nio", "libc").map(Arguments::of);
    }

    static Sockets sockets(String form) {
        assumeTrue(
                form.equals("nio") || SystemSockets.best().name().equals("libc"),
                "the C library cannot be called here");
        return form.equals("nio") ? SystemSockets.nio() : SystemSockets.libc();
    }

    static Pair of(Sockets sockets) throws IOException {
        TcpServer listener = sockets.listen(ANY_PORT, 4, true);
        try {
            TcpSocket client = sockets.open(false);
            client.connect(listener.localAddress());
            TcpSocket server = accepted(listener);
            while (!client.finishConnect()) {
                Thread.onSpinWait();
            }
            return new Pair(client, server);
        } finally {
            listener.close();
        }
    }

    static TcpSocket accepted(TcpServer listener) throws IOException {
        TcpSocket socket = listener.accept();
        while (socket == null) {
            Thread.onSpinWait();
            socket = listener.accept();
        }
        return socket;
    }

    byte[] receive(int count) throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(count);
        while (into.hasRemaining()) {
            assertThat(server.read(into)).isNotNegative();
        }
        byte[] octets = new byte[count];
        into.flip().get(octets);
        return octets;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
