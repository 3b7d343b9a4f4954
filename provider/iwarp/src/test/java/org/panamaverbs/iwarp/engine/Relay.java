package org.panamaverbs.iwarp.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A wire between a peer and a listener that carries a few octets at a time, and can be cut with a FIN to both. */
final class Relay implements AutoCloseable {
    private final ServerSocket server;
    private final int chunk;
    private final List<Socket> ends = new ArrayList<>();
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean keeping;
    private volatile boolean cut;

    Relay(InetSocketAddress target, int chunk) throws IOException {
        this.chunk = chunk;
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        start(() -> {
            Socket near = end(server.accept());
            Socket far = end(new Socket(target.getAddress(), target.getPort()));
            start(() -> carry(near, far, true));
            start(() -> carry(far, near, false));
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work) {
        Thread.ofPlatform().daemon().name("test-relay").start(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // One of its ends is gone. Where both were told of an end before, a reset could overtake that.
                if (!cut) {
                    close();
                }
            }
        });
    }

    private Socket end(Socket socket) throws IOException {
        synchronized (ends) {
            ends.add(socket);
        }
        socket.setTcpNoDelay(true);
        return socket;
    }

    private void carry(Socket from, Socket to, boolean mayKeep) throws IOException {
        byte[] octets = new byte[chunk];
        for (int some = from.getInputStream().read(octets);
                some >= 0;
                some = from.getInputStream().read(octets)) {
            synchronized (kept) {
                if (mayKeep && keeping) {
                    kept.write(octets, 0, some);
                    continue;
                }
            }
            to.getOutputStream().write(octets, 0, some);
        }
        to.shutdownOutput();
    }

    /** Keeps what comes to the listener from now on, until {@link #letGo}. */
    void keep() {
        synchronized (kept) {
            keeping = true;
        }
    }

    /** Tells how much is kept. */
    int kept() {
        synchronized (kept) {
            return kept.size();
        }
    }

    /** Carries what was kept, in one piece. */
    void letGo() throws IOException {
        synchronized (kept) {
            keeping = false;
            synchronized (ends) {
                ends.getLast().getOutputStream().write(kept.toByteArray());
            }
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    /** Ends both directions for both, as if they had: without a reset. */
    void cut() throws IOException {
        cut = true;
        synchronized (ends) {
            for (Socket end : ends) {
                end.shutdownOutput();
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            synchronized (ends) {
                for (Socket end : ends) {
                    end.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
