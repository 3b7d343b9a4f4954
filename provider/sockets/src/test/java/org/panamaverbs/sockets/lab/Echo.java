package org.panamaverbs.sockets.lab;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.panamaverbs.sockets.RdmaSockets;

/**
 * A server that sends back what comes, by one selector and for many peers at once, in {@code provider/lab/rsockets}: it
 * says how each connection has ended, and itself ends with the process. After {@code -Dkeepalive} seconds it asks peers
 * for a sign of life.
 */
final class Echo {
    private static final int BYTES = 100_000;
    private static final int BACKLOG = 8;
    private static final int KEEPALIVE_SECONDS = Integer.getInteger("keepalive", 0);

    private int connections;

    /** What is under way from a peer and back to it. */
    private static final class Peer {
        final int number;
        final ByteBuffer octets = ByteBuffer.allocate(BYTES);
        long echoed;
        boolean ended;

        Peer(int number) {
            this.number = number;
        }

        /** Reads and writes what there is now; returns what is waited for, 0 after the end. */
        int echo(SocketChannel channel) throws IOException {
            if (!ended) {
                ended = channel.read(octets) < 0;
            }
            octets.flip();
            echoed += channel.write(octets);
            boolean rest = octets.hasRemaining();
            octets.compact();
            if (ended && !rest) {
                return 0;
            }
            return (rest ? SelectionKey.OP_WRITE : 0) | (ended || !octets.hasRemaining() ? 0 : SelectionKey.OP_READ);
        }
    }

    private void run(InetSocketAddress address) throws IOException {
        try (Selector selector = RdmaSockets.openSelector();
                ServerSocketChannel listener = RdmaSockets.openServerSocketChannel()) {
            listener.bind(address, BACKLOG);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        accept(listener, selector);
                    } else {
                        serve(key);
                    }
                }
                selector.selectedKeys().clear();
            }
        }
    }

    private void accept(ServerSocketChannel listener, Selector selector) throws IOException {
        SocketChannel channel = listener.accept();
        if (channel != null) {
            if (KEEPALIVE_SECONDS > 0) {
                channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_SECONDS);
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            }
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Peer(++connections));
        }
    }

    private static void serve(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        Peer peer = (Peer) key.attachment();
        String end = "the end";
        int wanted = 0;
        try {
            wanted = peer.echo(channel);
        } catch (IOException e) {
            end = e.getMessage();
        }
        if (wanted == 0) {
            System.out.println("connection " + peer.number + ": " + peer.echoed + " bytes, then " + end);
            channel.close();
        } else {
            key.interestOps(wanted);
        }
    }

    public static void main(String[] args) throws IOException {
        new Echo().run(new InetSocketAddress(args[0], Integer.parseInt(args[1])));
    }
}
