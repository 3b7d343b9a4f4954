package org.panamaverbs.sockets.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What our channels have in common with the JDK's own: options with their initial values, families of addresses, ports
 * that are bound. The JDK is asked once for what does not change.
 */
public final class Tcp {
    private final Supplier<SelectorProvider> jdk;

    // Guarded by this.

    private @Nullable Map<SocketOption<?>, Object> streams;
    private @Nullable Map<SocketOption<?>, Object> listeners;

    private @Nullable Boolean ipv6;

    /** Creates what asks {@code jdk}. */
    public Tcp(Supplier<SelectorProvider> jdk) {
        this.jdk = jdk;
    }

    /** Returns the options of a channel that may still become RDMA's or TCP's. */
    public SocketOptions undecidedStream() throws IOException {
        return SocketOptions.ofTcp(streams());
    }

    /** Returns the options of a listener that may still become RDMA's or TCP's. */
    public SocketOptions undecidedListener() throws IOException {
        return SocketOptions.ofTcp(listeners());
    }

    /** Returns the options of a channel over RDMA. */
    public SocketOptions rdmaStream() throws IOException {
        return SocketOptions.ofRdma(streams());
    }

    /** Returns the options of a listener over RDMA. */
    public SocketOptions rdmaListener() throws IOException {
        return SocketOptions.ofRdma(listeners());
    }

    private synchronized Map<SocketOption<?>, Object> streams() throws IOException {
        if (streams == null) {
            try (NetworkChannel some = jdk.get().openSocketChannel()) {
                streams = values(some);
            }
        }
        return streams;
    }

    private synchronized Map<SocketOption<?>, Object> listeners() throws IOException {
        if (listeners == null) {
            try (NetworkChannel some = jdk.get().openServerSocketChannel()) {
                listeners = values(some);
            }
        }
        return listeners;
    }

    /**
     * Returns the family of channels that are opened without one, or with {@code asked}.
     *
     * @throws UnsupportedOperationException if the host has no such addresses
     */
    public Family family(@Nullable ProtocolFamily asked) throws IOException {
        if (asked == StandardProtocolFamily.INET) {
            return Family.IPV4;
        }
        if (!hasIpv6()) {
            if (asked == null) {
                return Family.IPV4;
            }
            throw new UnsupportedOperationException("IPv6 not available");
        }
        return Family.BOTH;
    }

    /** Tells whether the JDK uses IPv6: the host has it, and {@code java.net.preferIPv4Stack} is not set. */
    private synchronized boolean hasIpv6() throws IOException {
        if (ipv6 == null) {
            try (NetworkChannel some = jdk.get().openSocketChannel(StandardProtocolFamily.INET6)) {
                ipv6 = some.isOpen();
            } catch (UnsupportedOperationException e) {
                ipv6 = false;
            }
        }
        return ipv6;
    }

    /** Opens a channel of the JDK's. */
    public SocketChannel open(Family family) throws IOException {
        return jdk.get().openSocketChannel(family.protocol());
    }

    /** Opens a listener of the JDK's. */
    public ServerSocketChannel openListener(Family family) throws IOException {
        return jdk.get().openServerSocketChannel(family.protocol());
    }

    /**
     * Opens a channel of the JDK's with {@code options} that is bound to {@code local}: nobody else gets that port
     * until it is closed, and the system says whether it can be had.
     *
     * @throws java.net.BindException if the address is not this host's, or the port is taken
     */
    public SocketChannel reserve(Family family, SocketOptions options, InetSocketAddress local) throws IOException {
        SocketChannel channel = open(family);
        boolean bound = false;
        try {
            options.giveTcp(channel);
            channel.bind(local);
            bound = true;
            return channel;
        } finally {
            if (!bound) {
                channel.close();
            }
        }
    }

    private static Map<SocketOption<?>, Object> values(NetworkChannel channel) throws IOException {
        Map<SocketOption<?>, Object> values = new HashMap<>();
        for (SocketOption<?> each : channel.supportedOptions()) {
            values.put(each, channel.getOption(each));
        }
        return Map.copyOf(values);
    }
}
