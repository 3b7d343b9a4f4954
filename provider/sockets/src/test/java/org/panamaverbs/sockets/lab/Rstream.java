package org.panamaverbs.sockets.lab;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.sockets.RdmaSockets;

/**
 * The dialogue of rdma-core's {@code rstream}, by {@code java.nio}: a peer for it in {@code provider/lab/rsockets}. The
 * client sends 16 octets and gets 16; then, {@code -I} times, {@code -C} transfers of {@code -S} octets go to the
 * server and as many back. Octets count up over all transfers, as with {@code -T v}, and are verified if that is there.
 * The peer ends the connection; that its end is read is part of the test.
 */
final class Rstream implements Closeable {
    private static final int SYNC_BYTES = 16;
    private static final int BACKLOG = 8;

    private final Options options;
    private final List<Closeable> open = new ArrayList<>();
    private byte nextOut;
    private byte nextIn;

    /**
     * The command line, whose letters are rstream's.
     *
     * @param server the address to connect to, empty to be the server
     * @param bind the server's own address
     * @param mode {@code b} blocking, {@code n} nonblocking, {@code a} with a selector
     */
    record Options(
            String server,
            String bind,
            int port,
            char mode,
            boolean verify,
            int iterations,
            int transfers,
            int bytes,
            int buffers,
            boolean keepalive) {
        static Options of(String[] args) {
            String server = "";
            String bind = "0.0.0.0";
            int port = 7471;
            char mode = 'n';
            boolean verify = false;
            boolean keepalive = false;
            int iterations = 1;
            int transfers = 1000;
            int bytes = 1000;
            int buffers = 1 << 19;
            for (int i = 0; i < args.length; i += 2) {
                String value = args[i + 1];
                switch (args[i]) {
                    case "-s" -> server = value;
                    case "-b" -> bind = value;
                    case "-p" -> port = Integer.parseInt(value);
                    case "-I" -> iterations = Integer.parseInt(value);
                    case "-C" -> transfers = Integer.parseInt(value);
                    case "-S" -> bytes = Integer.parseInt(value);
                    case "-B" -> buffers = Integer.parseInt(value);
                    case "-k" -> keepalive = true;
                    case "-T" -> {
                        if (value.equals("v")) {
                            verify = true;
                        } else {
                            mode = value.charAt(0);
                        }
                    }
                    default -> throw new IllegalArgumentException(args[i]);
                }
            }
            return new Options(server, bind, port, mode, verify, iterations, transfers, bytes, buffers, keepalive);
        }
    }

    private Rstream(Options options) {
        this.options = options;
    }

    private SocketChannel connect() throws IOException {
        if (!options.server().isEmpty()) {
            return connectTo(new InetSocketAddress(options.server(), options.port()));
        }
        ServerSocketChannel listener = closing(RdmaSockets.openServerSocketChannel());
        listener.setOption(StandardSocketOptions.SO_RCVBUF, options.buffers());
        listener.bind(new InetSocketAddress(options.bind(), options.port()), BACKLOG);
        SocketChannel accepted = closing(listener.accept());
        accepted.configureBlocking(options.mode() == 'b');
        return accepted;
    }

    private SocketChannel connectTo(InetSocketAddress address) throws IOException {
        SocketChannel channel = closing(RdmaSockets.openSocketChannel());
        channel.setOption(StandardSocketOptions.SO_RCVBUF, options.buffers());
        channel.setOption(StandardSocketOptions.SO_SNDBUF, options.buffers());
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, options.keepalive());
        if (options.mode() == 'b') {
            channel.connect(address);
            return channel;
        }
        channel.configureBlocking(false);
        channel.connect(address);
        try (Selector selector = RdmaSockets.openSelector()) {
            channel.register(selector, SelectionKey.OP_CONNECT);
            while (!channel.finishConnect()) {
                selector.select();
                selector.selectedKeys().clear();
            }
        }
        return channel;
    }

    private <C extends Closeable> C closing(C channel) {
        open.add(channel);
        return channel;
    }

    /** What waits until an operation can go on, as the mode has it. */
    private interface Wait {
        void until(int operation) throws IOException;
    }

    private Wait waitFor(SocketChannel channel) throws IOException {
        if (options.mode() != 'a') {
            return operation -> Thread.onSpinWait();
        }
        Selector selector = closing(RdmaSockets.openSelector());
        SelectionKey key = channel.register(selector, 0);
        return operation -> {
            key.interestOps(operation);
            selector.select();
            selector.selectedKeys().clear();
        };
    }

    private void run(PrintStream out) throws IOException {
        SocketChannel channel = connect();
        Wait wait = waitFor(channel);
        ByteBuffer octets = ByteBuffer.allocateDirect(Math.max(options.bytes(), SYNC_BYTES));
        boolean client = !options.server().isEmpty();
        turns(channel, wait, octets, client, 1, SYNC_BYTES);
        long begun = System.nanoTime();
        for (int i = 0; i < options.iterations(); i++) {
            turns(channel, wait, octets, client, options.transfers(), options.bytes());
        }
        long micros = (System.nanoTime() - begun) / 1000;
        octets.clear();
        int end;
        while ((end = channel.read(octets)) == 0) {
            wait.until(SelectionKey.OP_READ);
        }
        if (end > 0) {
            throw new IOException(end + " octets behind the last transfer");
        }
        out.printf(
                "right: %,d transfers of %,d octets each way in %,d us, then the end; %s%n",
                (long) options.iterations() * options.transfers(),
                options.bytes(),
                micros,
                RdmaSockets.transport(channel).orElse("not by RDMA"));
    }

    private void turns(SocketChannel channel, Wait wait, ByteBuffer octets, boolean client, int count, int bytes)
            throws IOException {
        for (int i = 0; i < 2 * count; i++) {
            octets.clear().limit(bytes);
            if (client == i < count) {
                send(channel, wait, octets);
            } else {
                receive(channel, wait, octets);
            }
        }
    }

    private void send(SocketChannel channel, Wait wait, ByteBuffer octets) throws IOException {
        for (int i = 0; i < octets.limit(); i++) {
            octets.put(i, nextOut++);
        }
        while (octets.hasRemaining()) {
            if (channel.write(octets) == 0) {
                wait.until(SelectionKey.OP_WRITE);
            }
        }
    }

    private void receive(SocketChannel channel, Wait wait, ByteBuffer octets) throws IOException {
        while (octets.hasRemaining()) {
            int read = channel.read(octets);
            if (read < 0) {
                throw new IOException("the end, " + octets.remaining() + " octets early");
            }
            if (read == 0) {
                wait.until(SelectionKey.OP_READ);
            }
        }
        for (int i = 0; options.verify() && i < octets.limit(); i++) {
            if (octets.get(i) != nextIn++) {
                throw new IOException("octet " + i + " of " + octets.limit() + " is " + octets.get(i));
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : open) {
            each.close();
        }
    }

    public static void main(String[] args) throws IOException {
        try (Rstream rstream = new Rstream(Options.of(args))) {
            rstream.run(System.out);
        }
    }
}
