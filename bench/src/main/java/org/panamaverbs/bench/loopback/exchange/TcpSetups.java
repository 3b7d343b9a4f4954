package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The floor of set-up: TCP's alone, with a thread that accepts; sockets are reset, so that no port lingers. */
public final class TcpSetups implements Exchange {
    private static final int LOOK_MILLIS = 100;

    private final ServerSocket server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    private final Semaphore accepted = new Semaphore(0);
    private final PeerThread peer;
    // The one before: to reset one at once could meet its connect, which has not returned yet.
    private @Nullable Socket last;

    public TcpSetups() throws IOException {
        server.setSoTimeout(LOOK_MILLIS);
        peer = PeerThread.start(this::accept);
    }

    private boolean accept() throws IOException {
        try {
            Socket socket = server.accept();
            prepare(socket);
            forgetLast();
            last = socket;
            accepted.release();
            return true;
        } catch (SocketTimeoutException e) {
            // Nobody: looks whether it is to end, and again.
            return false;
        }
    }

    private void forgetLast() throws IOException {
        Socket before = last;
        last = null;
        if (before != null) {
            before.close();
        }
    }

    private static void prepare(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoLinger(true, 0);
    }

    @Override
    public void run() throws IOException {
        try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
            prepare(socket);
            Setups.await(accepted, peer);
        }
    }

    @Override
    public void close() throws IOException {
        peer.close();
        forgetLast();
        server.close();
    }
}
