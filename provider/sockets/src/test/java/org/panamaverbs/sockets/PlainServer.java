package org.panamaverbs.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server of plain TCP, which answers each byte with the same. */
final class PlainServer implements AutoCloseable {
    /** What it does with a peer whose first byte is that of an MPA Request. */
    enum Manner {
        ECHO,
        CLOSE_ON_MPA,
        SILENT_ON_MPA
    }

    private static final int MPA = 'M';

    private final ServerSocket listener;
    private final Manner manner;

    PlainServer(Manner manner) throws IOException {
        this.manner = manner;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket peer = listener.accept();
                Thread.ofVirtual().start(() -> serve(peer));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void serve(Socket peer) {
        try (peer) {
            int octet = peer.getInputStream().read();
            if (octet == MPA && manner == Manner.CLOSE_ON_MPA) {
                return;
            }
            boolean silent = octet == MPA && manner == Manner.SILENT_ON_MPA;
            for (; octet >= 0; octet = peer.getInputStream().read()) {
                if (!silent) {
                    peer.getOutputStream().write(octet);
                }
            }
        } catch (IOException e) {
            // The peer is gone.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
