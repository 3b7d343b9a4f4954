package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.iwarp.TestCertificates;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.transport.TlsEngines;
import org.panamaverbs.iwarp.engine.transport.TlsTasks;
import org.panamaverbs.iwarp.engine.transport.TlsTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpSocket;

/** Two transports under TLS with a wire between them that moves when it is told to, a few bytes at a time. */
final class TlsLink implements AutoCloseable {
    private static final long LOOPS = 10_000_000;

    final SSLEngine clientEngine;
    final SSLEngine serverEngine;
    final TlsTransport client;
    final TlsTransport server;
    private final EventLoop loop = EventLoop.start(SystemSockets.best());
    private final TlsTasks tasks = new TlsTasks(loop);
    private final Wire clientWire = new Wire();
    private final Wire serverWire = new Wire();
    private final ByteBuffer carrying;

    /** A connection: the end of a transport, and the one that the test has. */
    private static final class Wire {
        final TcpSocket end;
        final SocketChannel other;

        Wire() throws IOException {
            try (ServerSocketChannel listener =
                    ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
                end = SystemSockets.best().open(false);
                end.connect((InetSocketAddress) listener.getLocalAddress());
                other = listener.accept();
                other.configureBlocking(false);
                other.setOption(StandardSocketOptions.TCP_NODELAY, true);
                assertThat(end.finishConnect()).isTrue();
            }
        }
    }

    /** Creates a link whose wire moves {@code chunk} bytes at a time. */
    TlsLink(int chunk) throws IOException {
        clientEngine = TlsEngines.connecting(TlsConfig.of(TestCertificates.context(null)), "localhost", 1);
        serverEngine = TlsEngines.listening(TlsConfig.of(TestCertificates.context(TestCertificates.SERVER)));
        client = new TlsTransport(clientWire.end, clientEngine, tasks, "", "");
        server = new TlsTransport(serverWire.end, serverEngine, tasks, "", "");
        carrying = ByteBuffer.allocate(chunk);
    }

    /** Sets TLS up. */
    TlsLink open() throws IOException {
        boolean clientOpen = false;
        boolean serverOpen = false;
        for (long i = 0; !clientOpen || !serverOpen; i++) {
            clientOpen = clientOpen || client.open(() -> {}) == Transport.OPEN;
            serverOpen = serverOpen || server.open(() -> {}) == Transport.OPEN;
            toServer();
            toClient();
            bound(i);
        }
        return this;
    }

    /** Moves a chunk, if there is one; returns its bytes, negative at the end. */
    int toServer() throws IOException {
        return move(clientWire.other, serverWire.other);
    }

    /** Moves a chunk, if there is one; returns its bytes, negative at the end. */
    int toClient() throws IOException {
        return move(serverWire.other, clientWire.other);
    }

    private int move(SocketChannel from, SocketChannel to) throws IOException {
        int octets = from.read(carrying.clear());
        carrying.flip();
        while (carrying.hasRemaining()) {
            to.write(carrying);
        }
        return octets;
    }

    /** Puts bytes on the wire to the client that its peer did not send. */
    void forge(byte... octets) throws IOException {
        ByteBuffer forged = ByteBuffer.wrap(octets);
        while (forged.hasRemaining()) {
            clientWire.other.write(forged);
        }
    }

    /** Puts on the wire to the client once more what was moved last. */
    void repeat() throws IOException {
        forge(Arrays.copyOf(carrying.array(), carrying.limit()));
    }

    /** Ends the wire to the client with a FIN, as anybody between the two can. */
    void cutClientOff() throws IOException {
        clientWire.other.shutdownOutput();
    }

    /** Writes all of {@code data} at the server, which must find room. */
    static void write(TlsTransport to, byte... data) throws IOException {
        IoVector from = IoVector.of(ByteBuffer.wrap(data));
        to.write(from);
        if (from.hasRemaining() || from.moved() != data.length) {
            throw new AssertionError(from.moved() + " bytes taken of " + data.length);
        }
    }

    /** Moves what the server sent to the client until {@code into} is full. */
    void receive(ByteBuffer into) throws IOException {
        for (long i = 0; into.hasRemaining(); i++) {
            toClient();
            if (client.read(into) < 0) {
                throw new AssertionError("the end after " + into.position() + " bytes");
            }
            bound(i);
        }
    }

    static void bound(long i) {
        if (i > LOOPS) {
            throw new AssertionError("nothing moves any more");
        }
    }

    @Override
    public void close() throws IOException {
        client.close(false);
        server.close(false);
        clientWire.other.close();
        serverWire.other.close();
        loop.close();
    }
}
