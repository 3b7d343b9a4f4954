package org.panamaverbs.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.sockets.rules.SocketRules;

/** A provider over provider iwarp, and its channels, all of which it closes. */
final class Channels implements AutoCloseable {
    private final Verbs verbs;
    private final RdmaSelectorProvider provider;
    private final List<SelectableChannel> all = new ArrayList<>();

    /** How channels go: what their contracts say holds for all. */
    enum Way {
        RDMA_OVER_TCP("off", null),
        RDMA_BY_SHARED_MEMORY("auto", null),
        /** Channels that become RDMA's. */
        RULED_RDMA("off", "require"),
        /** Channels that become the JDK's. */
        RULED_TCP("off", "off");

        private final String shm;
        private final @Nullable String use;

        Way(String shm, @Nullable String use) {
            this.shm = shm;
            this.use = use;
        }
    }

    /** Opens the device for channels that go {@code way}. */
    Channels(Way way) {
        verbs = Verbs.open(OpenConfig.provider("iwarp").with("shm", way.shm));
        provider = way.use == null
                ? new RdmaSelectorProvider(verbs)
                : new RdmaSelectorProvider(verbs, SocketRules.parse(List.of("* * * " + way.use), "the test"));
    }

    /** Opens the device with option {@code shm}. */
    Channels(String shm) {
        this(shm.equals("off") ? Way.RDMA_OVER_TCP : Way.RDMA_BY_SHARED_MEMORY);
    }

    /** Opens the device, by TCP alone, with rules. */
    Channels(SocketRules rules) {
        this(OpenConfig.provider("iwarp").with("shm", "off"), rules);
    }

    /** Opens a device with rules. */
    Channels(OpenConfig device, SocketRules rules) {
        verbs = Verbs.open(device);
        provider = new RdmaSelectorProvider(verbs, rules);
    }

    /** Two channels that are connected. */
    record Pair(SocketChannel client, SocketChannel server) {}

    RdmaSelectorProvider provider() {
        return provider;
    }

    <C extends SelectableChannel> C closing(C channel) {
        all.add(channel);
        return channel;
    }

    SocketChannel channel() throws IOException {
        return closing(provider.openSocketChannel());
    }

    ServerSocketChannel listener() throws IOException {
        return closing(provider.openServerSocketChannel())
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    Pair pair() throws IOException {
        ServerSocketChannel listener = listener();
        SocketChannel client = channel();
        client.connect(listener.getLocalAddress());
        return new Pair(client, closing(Objects.requireNonNull(listener.accept())));
    }

    /** Reads into {@code target} until it is full. */
    static void readFully(SocketChannel channel, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (channel.read(target) < 0) {
                throw new IOException("the end, " + target.remaining() + " bytes early");
            }
        }
    }

    static ByteBuffer octets(int... values) {
        ByteBuffer octets = ByteBuffer.allocate(values.length);
        for (int each : values) {
            octets.put((byte) each);
        }
        return octets.flip();
    }

    @Override
    public void close() throws IOException {
        for (SelectableChannel each : all) {
            each.close();
        }
        provider.close();
        verbs.close();
    }
}
