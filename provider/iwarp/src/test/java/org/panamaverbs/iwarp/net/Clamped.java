package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.panamaverbs.bindings.libc.Libc;

/** A peer that announces a smaller TCP segment than its interface has, as behind a tunnel or a clamped path. */
public final class Clamped implements AutoCloseable {
    private final TcpSocket socket;

    private Clamped(TcpSocket socket) {
        this.socket = socket;
    }

    /** Connects with {@code to} from a socket that takes segments of {@code bytes} at most; 0 for any. */
    public static Clamped connect(InetSocketAddress to, int bytes) throws IOException {
        TcpSocket socket = open(bytes);
        socket.connect(to);
        while (!socket.finishConnect()) {
            Thread.onSpinWait();
        }
        return new Clamped(socket);
    }

    static TcpSocket open(int bytes) throws IOException {
        int descriptor = SocketCalls.socket(false);
        if (bytes != 0) {
            SocketCalls.option(descriptor, Libc.IPPROTO_TCP(), Libc.TCP_MAXSEG(), bytes);
        }
        return LibcSocket.of(descriptor, null);
    }

    /** Sends {@code octets}, for which there is room. */
    public void write(byte[] octets) throws IOException {
        socket.write(ByteBuffer.wrap(octets));
    }

    /** Waits for {@code count} bytes. */
    public ByteBuffer read(int count) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(count);
        while (into.hasRemaining()) {
            if (socket.read(into) < 0) {
                throw new IOException("the other side ended after " + into.position() + " bytes");
            }
        }
        return into.flip();
    }

    @Override
    public void close() {
        socket.close();
    }
}
