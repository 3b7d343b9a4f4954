package org.panamaverbs.sockets.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import jdk.net.ExtendedSocketOptions;
import org.panamaverbs.sockets.RdmaSockets;

/**
 * A client that sends a file and then the end, and writes what comes to another until the end comes, in
 * {@code provider/lab/rsockets}: blocking, with a thread each way. After {@code -Dkeepalive} seconds it asks its peer
 * for a sign of life.
 */
final class Cat {
    private static final int BYTES = 50_000;
    private static final int KEEPALIVE_SECONDS = Integer.getInteger("keepalive", 0);

    private Cat() {}

    private static void send(SocketChannel channel, Path file, CountDownLatch mayEnd)
            throws IOException, InterruptedException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] octets = new byte[BYTES];
            int count;
            while ((count = in.read(octets)) > 0) {
                channel.write(ByteBuffer.wrap(octets, 0, count));
            }
        }
        mayEnd.await();
        channel.shutdownOutput();
    }

    private static long receive(SocketChannel channel, Path file, long most, CountDownLatch all) throws IOException {
        long sum = 0;
        try (OutputStream out = Files.newOutputStream(file)) {
            ByteBuffer octets = ByteBuffer.allocate(BYTES);
            while (channel.read(octets) >= 0) {
                out.write(octets.array(), 0, octets.position());
                out.flush();
                sum += octets.position();
                if (sum == most) {
                    all.countDown();
                }
                octets.clear();
            }
        } finally {
            all.countDown();
        }
        return sum;
    }

    /**
     * Arguments: address, port, the file to send, that to write; with {@code answered} behind them the end is sent when
     * as many bytes have come as were sent.
     */
    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        try (SocketChannel channel = RdmaSockets.openSocketChannel()) {
            if (KEEPALIVE_SECONDS > 0) {
                channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_SECONDS);
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            }
            channel.connect(new InetSocketAddress(args[0], Integer.parseInt(args[1])));
            Path file = Path.of(args[2]);
            boolean answered = args.length > 4 && args[4].equals("answered");
            CountDownLatch mayEnd = new CountDownLatch(answered ? 1 : 0);
            FutureTask<Void> sent = new FutureTask<>(() -> {
                send(channel, file, mayEnd);
                return null;
            });
            Thread.ofPlatform().daemon().start(sent);
            long received = receive(channel, Path.of(args[3]), Files.size(file), mayEnd);
            sent.get();
            System.out.println(received + " bytes, then the end");
        }
    }
}
