package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The floor of latency: bytes there, and bytes back when they have all come, by sockets that both threads spin on. */
public final class TcpPingPong implements Exchange {
    private final TcpPair sockets;
    private final ByteBuffer request;
    private final ByteBuffer response;
    private final ByteBuffer requestThere;
    private final ByteBuffer responseThere;
    private final Patience patience = new Patience();
    private final PeerThread peer;

    /** Connects for {@code requestBytes} there and {@code responseBytes} back. */
    public TcpPingPong(int requestBytes, int responseBytes) throws IOException {
        sockets = TcpPair.connect();
        request = ByteBuffer.allocateDirect(requestBytes);
        response = ByteBuffer.allocateDirect(responseBytes);
        requestThere = ByteBuffer.allocateDirect(requestBytes);
        responseThere = ByteBuffer.allocateDirect(responseBytes);
        responseThere.limit(0);
        peer = PeerThread.start(this::answer);
    }

    private boolean answer() throws IOException {
        SocketChannel socket = sockets.there();
        if (responseThere.hasRemaining()) {
            return socket.write(responseThere) != 0;
        }
        int count = TcpPair.read(socket, requestThere);
        if (!requestThere.hasRemaining()) {
            requestThere.clear();
            responseThere.clear();
            socket.write(responseThere);
        }
        return count != 0;
    }

    @Override
    public void run() throws IOException {
        SocketChannel socket = sockets.here();
        request.clear();
        response.clear();
        patience.renew();
        while (request.hasRemaining()) {
            if (socket.write(request) == 0) {
                patience.await(peer);
            }
        }
        while (response.hasRemaining()) {
            if (TcpPair.read(socket, response) == 0) {
                patience.await(peer);
            }
        }
    }

    @Override
    public void close() throws IOException {
        peer.close();
        sockets.close();
    }
}
