package org.panamaverbs.sockets.lab;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.panamaverbs.sockets.RdmaSockets;

/**
 * Stands between clients and a server, in {@code provider/lab/rsockets}: what comes from either, and its end, goes on
 * to the other, by RDMA on both sides, or by plain TCP to the server. So a pair of programs in C meets this module in
 * both roles at once. Ends with the process.
 */
final class Forward {
    private static final int BYTES = 100_000;

    private Forward() {}

    private static void forward(SocketChannel from, SocketChannel to, String which) {
        long sum = 0;
        String end = "the end";
        try {
            ByteBuffer octets = ByteBuffer.allocateDirect(BYTES);
            while (from.read(octets) >= 0) {
                octets.flip();
                sum += octets.remaining();
                to.write(octets);
                octets.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            end = String.valueOf(e.getMessage());
        }
        System.out.println(which + ": " + sum + " bytes, then " + end);
    }

    private static void serve(SocketChannel client, InetSocketAddress server, boolean plain, int number) {
        try (client;
                SocketChannel onward = plain ? SocketChannel.open() : RdmaSockets.openSocketChannel()) {
            onward.connect(server);
            Thread back = Thread.ofPlatform().start(() -> forward(onward, client, "connection " + number + " back"));
            forward(client, onward, "connection " + number + " forth");
            back.join();
        } catch (IOException e) {
            System.out.println("connection " + number + ": " + e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Arguments: own address and port, the server's address and port, and {@code tcp} if it has no RDMA. */
    public static void main(String[] args) throws IOException {
        boolean plain = args.length > 4;
        InetSocketAddress server = new InetSocketAddress(args[2], Integer.parseInt(args[3]));
        try (ServerSocketChannel listener = RdmaSockets.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(args[0], Integer.parseInt(args[1])));
            for (int number = 1; ; number++) {
                SocketChannel client = listener.accept();
                int its = number;
                Thread.ofPlatform().start(() -> serve(client, server, plain, its));
            }
        }
    }
}
