package org.panamaverbs.sockets.tcp;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.stream.StreamSizes;

/**
 * The options of one channel: those of TCP, and over RDMA the number of mappings. Sizes count until the channel is
 * connected or bound, as in C; {@code SO_KEEPALIVE}, {@code TCP_KEEPIDLE} and {@code SO_LINGER} have their effect over
 * RDMA, too. All others are kept and change nothing there.
 */
public final class SocketOptions {
    /** The values that an option may have; others may have any from 0 on. */
    private record Range(int least, int most) {}

    private static final Range SIZES = new Range(0, Integer.MAX_VALUE);
    private static final Range CLASSES = new Range(0, 255);
    private static final Range MAPPINGS = new Range(0, StreamSizes.MOST_IOMAPS);

    // What the kernel refuses: man 7 tcp.
    private static final Map<SocketOption<?>, Range> KERNEL_RANGES = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, new Range(1, 32_767),
            ExtendedSocketOptions.TCP_KEEPINTERVAL, new Range(1, 32_767),
            ExtendedSocketOptions.TCP_KEEPCOUNT, new Range(1, 127));

    /** {@code TCP_KEEPIDLE} of platforms that do not have it. */
    private static final int IDLE_SECONDS = 7200;

    /** How long a closed stream may take without {@code SO_LINGER}. */
    private static final long LINGER_SECONDS = 10;

    private static final int MOST_LINGER = 65_535;

    private final Map<SocketOption<?>, Object> values;

    /** Options that were set. */
    private final Set<SocketOption<?>> changed = ConcurrentHashMap.newKeySet();

    private SocketOptions(Map<SocketOption<?>, Object> initial) {
        values = new ConcurrentHashMap<>(initial);
    }

    /** Returns options with their initial values. */
    static SocketOptions ofTcp(Map<SocketOption<?>, Object> initial) {
        return new SocketOptions(initial);
    }

    /** Returns options with their initial values, except for sizes, which are RDMA's, and with those of RDMA alone. */
    static SocketOptions ofRdma(Map<SocketOption<?>, Object> initial) {
        SocketOptions options = new SocketOptions(initial);
        StreamSizes sizes = StreamSizes.defaults();
        options.values.put(StandardSocketOptions.SO_RCVBUF, sizes.receiveBytes());
        options.values.replace(StandardSocketOptions.SO_SNDBUF, sizes.sendBytes());
        options.values.put(IomapSize.RDMA_IOMAPSIZE, sizes.iomapEntries());
        return options;
    }

    /** Takes over what {@code listener}, which has accepted this channel, has in common with it. */
    public void inherit(SocketOptions listener) {
        values.replaceAll((option, value) -> listener.values.getOrDefault(option, value));
    }

    public Set<SocketOption<?>> supported() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /**
     * Checks what can be checked of a closed channel, too.
     *
     * @throws UnsupportedOperationException if the channel does not have {@code option}
     * @throws IllegalArgumentException if {@code value} is of another type
     */
    public <T> void check(SocketOption<T> option, @Nullable T value) {
        check(option);
        if (!option.type().isInstance(value)) {
            throw new IllegalArgumentException("set option " + option + ": " + value + " is not of type "
                    + option.type().getSimpleName() + "; remedy: choose a value of that type");
        }
    }

    /** Throws an {@link UnsupportedOperationException} unless the channel has {@code option}. */
    public void check(SocketOption<?> option) {
        if (!values.containsKey(Objects.requireNonNull(option))) {
            throw new UnsupportedOperationException("option " + option + " is not supported; remedy: choose one of "
                    + values.keySet().stream().map(SocketOption::name).sorted().toList());
        }
    }

    /**
     * Sets an option.
     *
     * @throws UnsupportedOperationException if the channel does not have it
     * @throws IllegalArgumentException if {@code value} is of another type, or one that no system takes
     * @throws SocketException if the option cannot be set, or not to that value
     */
    public <T> void set(SocketOption<T> option, T value) throws SocketException {
        check(option, value);
        if (option.equals(ExtendedSocketOptions.SO_INCOMING_NAPI_ID)) {
            throw new SocketException("set option " + option + ": it can only be read; remedy: leave it unset");
        }
        values.put(option, value instanceof Integer number ? checked(option, number) : value);
        changed.add(option);
    }

    private static int checked(SocketOption<?> option, int value) throws SocketException {
        if (option.equals(StandardSocketOptions.SO_LINGER)) {
            return Math.clamp(value, -1, MOST_LINGER);
        }
        Range kernels = KERNEL_RANGES.get(option);
        if (kernels != null) {
            if (value < kernels.least || value > kernels.most) {
                throw new SocketException(refusal(option, value, kernels));
            }
            return value;
        }
        Range range = option.equals(IomapSize.RDMA_IOMAPSIZE)
                ? MAPPINGS
                : option.equals(StandardSocketOptions.IP_TOS) ? CLASSES : SIZES;
        if (value < range.least || value > range.most) {
            throw new IllegalArgumentException(refusal(option, value, range));
        }
        return value;
    }

    private static String refusal(SocketOption<?> option, int value, Range range) {
        return "set option " + option + ": " + value + " is out of range; remedy: choose a value from " + range.least
                + " to " + range.most;
    }

    /** Sets at {@code channel} what was set here. */
    public void giveTo(NetworkChannel channel) throws IOException {
        for (SocketOption<?> each : changed) {
            give(each, channel);
        }
    }

    /** Sets at {@code channel}, which is the JDK's, what was set here and is not RDMA's alone. */
    void giveTcp(NetworkChannel channel) throws IOException {
        for (SocketOption<?> each : changed) {
            if (!each.equals(IomapSize.RDMA_IOMAPSIZE)) {
                give(each, channel);
            }
        }
    }

    private <T> void give(SocketOption<T> option, NetworkChannel channel) throws IOException {
        channel.setOption(option, get(option));
    }

    /** Returns the value of an option; otherwise as {@link #set}. */
    public <T> T get(SocketOption<T> option) {
        check(option);
        return valueOf(option);
    }

    private <T> T valueOf(SocketOption<T> option) {
        return option.type().cast(Objects.requireNonNull(values.get(option)));
    }

    public StreamSizes sizes() {
        Object sendBytes = values.get(StandardSocketOptions.SO_SNDBUF);
        return new StreamSizes(
                valueOf(StandardSocketOptions.SO_RCVBUF),
                sendBytes instanceof Integer bytes
                        ? bytes
                        : StreamSizes.defaults().sendBytes(),
                valueOf(IomapSize.RDMA_IOMAPSIZE));
    }

    /** Returns after how many seconds the peer is asked for a sign of life, again and again; 0 if it is not. */
    public int keepaliveSeconds() {
        if (!valueOf(StandardSocketOptions.SO_KEEPALIVE)) {
            return 0;
        }
        return values.get(ExtendedSocketOptions.TCP_KEEPIDLE) instanceof Integer seconds ? seconds : IDLE_SECONDS;
    }

    public boolean reuseAddress() {
        return valueOf(StandardSocketOptions.SO_REUSEADDR);
    }

    /** Returns {@code SO_LINGER}: seconds, negative without. */
    public int lingerSeconds() {
        return valueOf(StandardSocketOptions.SO_LINGER);
    }

    /** Returns how long a closed stream may take, 0 to abort it. */
    public long lingerNanos() {
        int seconds = lingerSeconds();
        return TimeUnit.SECONDS.toNanos(seconds < 0 ? LINGER_SECONDS : seconds);
    }
}
