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
import jdk.net.ExtendedSocketOptions;
import org.panamaverbs.sockets.RdmaSockets;

/**
 * The dialogue of rdma-core's {@code rstream}, by {@code java.nio}: a peer for it in {@code provider/lab/rsockets}. The
 * client sends 16 bytes and gets 16; then, {@code -I} times, {@code -C} transfers of {@code -S} bytes go to the server
 * and as many back. Bytes count up over all transfers, as with {@code -T v}, and are verified if that is there. The
 * peer ends the connection; that its end is read is part of the test.
 */
final class Rstream implements Closeable {
    private static final int SYNC_BYTES = 16;
    private static final int BACKLOG = 8;

    private final Options options;

    /** Mappings of the peer that can be written to. */
    private final int iomaps;

    private final List<Closeable> open = new ArrayList<>();
    private byte nextOut;
    private byte nextIn;

    /**
     * The command line, whose letters are rstream's.
     *
     * @param server the address to connect to, empty to be the server
     * @param bind the server's own address
     * @param mode {@code b} blocking, {@code n} nonblocking, {@code a} with a selector
     * @param keepalive seconds after which the peer is asked for a sign of life, 0 for never
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
            int keepalive) {
        boolean isClient() {
            return !server.isEmpty();
        }

        /** Returns the same without a look at what comes. */
        Options unverified() {
            return new Options(server, bind, port, mode, false, iterations, transfers, bytes, buffers, keepalive);
        }

        static Options of(String[] args) {
            String server = "";
            String bind = "0.0.0.0";
            int port = 7471;
            char mode = 'n';
            boolean verify = false;
            int keepalive = 0;
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
                    case "-k" -> keepalive = Integer.parseInt(value);
                    case "-f" -> {} // addresses are numeric
                    case "-T" -> {
                        switch (value) {
                            case "v" -> verify = true;
                            case "r" -> {} // how C resolves addresses
                            default -> mode = value.charAt(0);
                        }
                    }
                    default -> throw new IllegalArgumentException(args[i]);
                }
            }
            return new Options(server, bind, port, mode, verify, iterations, transfers, bytes, buffers, keepalive);
        }
    }

    Rstream(Options options, int iomaps) {
        this.options = options;
        this.iomaps = iomaps;
    }

    /** Connects, or accepts one peer; what is returned is closed with this. */
    SocketChannel connect() throws IOException {
        if (options.isClient()) {
            return connectTo(new InetSocketAddress(options.server(), options.port()));
        }
        ServerSocketChannel listener = closing(RdmaSockets.openServerSocketChannel());
        listener.setOption(StandardSocketOptions.SO_RCVBUF, options.buffers());
        listener.setOption(RdmaSockets.IOMAP_SIZE, iomaps);
        listener.bind(new InetSocketAddress(options.bind(), options.port()), BACKLOG);
        SocketChannel accepted = closing(listener.accept());
        accepted.configureBlocking(options.mode() == 'b');
        keepAlive(accepted);
        return accepted;
    }

    private void keepAlive(SocketChannel channel) throws IOException {
        if (options.keepalive() > 0) {
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, options.keepalive());
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        }
    }

    private SocketChannel connectTo(InetSocketAddress address) throws IOException {
        SocketChannel channel = closing(RdmaSockets.openSocketChannel());
        channel.setOption(StandardSocketOptions.SO_RCVBUF, options.buffers());
        channel.setOption(RdmaSockets.IOMAP_SIZE, iomaps);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, options.buffers());
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        keepAlive(channel);
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
    interface Wait {
        void until(int operation) throws IOException;
    }

    /** Returns what waits until {@code channel} is ready. */
    Wait waitFor(SocketChannel channel) throws IOException {
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
        boolean client = options.isClient();
        sync(channel, wait);
        long begun = System.nanoTime();
        for (int i = 0; i < options.iterations(); i++) {
            turns(channel, wait, octets, client, options.transfers(), options.bytes());
        }
        long micros = (System.nanoTime() - begun) / 1000;
        end(channel, wait, micros, out);
    }

    /** Reads the end of the stream, and says what was right. */
    void end(SocketChannel channel, Wait wait, long micros, PrintStream out) throws IOException {
        ByteBuffer octets = ByteBuffer.allocate(SYNC_BYTES);
        int end;
        while ((end = channel.read(octets)) == 0) {
            wait.until(SelectionKey.OP_READ);
        }
        if (end > 0) {
            throw new IOException(end + " bytes behind the last transfer");
        }
        out.printf(
                "right: %,d transfers of %,d bytes each way in %,d us, then the end; %s%n",
                (long) options.iterations() * options.transfers(),
                options.bytes(),
                micros,
                RdmaSockets.transport(channel).orElse("not by RDMA"));
    }

    /** Sends or gets 16 bytes first, and does the other then. */
    void sync(SocketChannel channel, Wait wait) throws IOException {
        turns(channel, wait, ByteBuffer.allocateDirect(SYNC_BYTES), options.isClient(), 1, SYNC_BYTES);
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
                throw new IOException("the end, " + octets.remaining() + " bytes early");
            }
            if (read == 0) {
                wait.until(SelectionKey.OP_READ);
            }
        }
        for (int i = 0; options.verify() && i < octets.limit(); i++) {
            if (octets.get(i) != nextIn++) {
                throw new IOException("byte " + i + " of " + octets.limit() + " is " + octets.get(i));
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : open) {
            each.close();
        }
    }

    /** Runs a command line. */
    static void run(String[] args, PrintStream out) throws IOException {
        try (Rstream rstream = new Rstream(Options.of(args), 0)) {
            rstream.run(out);
        }
    }

    public static void main(String[] args) throws IOException {
        run(args, System.out);
    }
}
