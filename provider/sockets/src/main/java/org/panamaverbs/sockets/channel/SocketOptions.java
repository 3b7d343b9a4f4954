package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.stream.StreamSizes;

/**
 * The options of one channel. Sizes count until it is connected or bound, as in C; {@code TCP_NODELAY} is kept and
 * changes nothing, since nothing is delayed; so are {@code TCP_KEEPINTERVAL} and {@code TCP_KEEPCOUNT}, since it is the
 * device that repeats what is not answered.
 */
final class SocketOptions {
    /** What channels that connect have by RDMA and by TCP. */
    static final Set<SocketOption<?>> OF_STREAM = Set.of(
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_REUSEADDR,
            ExtendedSocketOptions.TCP_KEEPIDLE,
            ExtendedSocketOptions.TCP_KEEPINTERVAL,
            ExtendedSocketOptions.TCP_KEEPCOUNT);

    /** What channels that listen have by RDMA and by TCP. */
    static final Set<SocketOption<?>> OF_LISTENER =
            Set.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR);

    /** What channels that connect have by RDMA. */
    static final Set<SocketOption<?>> OF_RDMA_STREAM = withMappings(OF_STREAM);

    /** What channels that listen have by RDMA. */
    static final Set<SocketOption<?>> OF_RDMA_LISTENER = withMappings(OF_LISTENER);

    /** What numbers some options take; the others take any from 0 on. */
    private record Range(int least, int most) {}

    // TCP counts them so: man 7 tcp.
    private static final Map<SocketOption<?>, Range> RANGES = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, new Range(1, 32_767),
            ExtendedSocketOptions.TCP_KEEPINTERVAL, new Range(1, 32_767),
            ExtendedSocketOptions.TCP_KEEPCOUNT, new Range(1, 127),
            IomapSize.RDMA_IOMAPSIZE, new Range(0, StreamSizes.MOST_IOMAPS));

    private static final Range ANY = new Range(0, Integer.MAX_VALUE);

    private static final Path OF_TCP = Path.of("/proc/sys/net/ipv4");
    private static final int IDLE_SECONDS = ofTcp("tcp_keepalive_time", 7200);
    private static final int INTERVAL_SECONDS = ofTcp("tcp_keepalive_intvl", 75);
    private static final int COUNT = ofTcp("tcp_keepalive_probes", 9);

    /** How long a closed stream may take without {@code SO_LINGER}. */
    private static final long LINGER_SECONDS = 10;

    private static final int MOST_LINGER = 65_535;

    private final Set<SocketOption<?>> supported;
    private final Map<SocketOption<?>, Object> values = new ConcurrentHashMap<>();

    /** Options that were set. */
    private final Set<SocketOption<?>> changed = ConcurrentHashMap.newKeySet();

    SocketOptions(Set<SocketOption<?>> supported) {
        this.supported = supported;
        StreamSizes sizes = StreamSizes.defaults();
        values.put(StandardSocketOptions.SO_RCVBUF, sizes.receiveBytes());
        values.put(StandardSocketOptions.SO_SNDBUF, sizes.sendBytes());
        values.put(StandardSocketOptions.TCP_NODELAY, false);
        values.put(StandardSocketOptions.SO_LINGER, -1);
        values.put(StandardSocketOptions.SO_KEEPALIVE, false);
        values.put(StandardSocketOptions.SO_REUSEADDR, !supported.contains(StandardSocketOptions.SO_SNDBUF));
        values.put(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
        values.put(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
        values.put(ExtendedSocketOptions.TCP_KEEPCOUNT, COUNT);
        values.put(IomapSize.RDMA_IOMAPSIZE, sizes.iomapEntries());
    }

    private static Set<SocketOption<?>> withMappings(Set<SocketOption<?>> others) {
        return Stream.concat(others.stream(), Stream.of(IomapSize.RDMA_IOMAPSIZE))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the system's own value of a setting of TCP, {@code otherwise} where that is not told. */
    private static int ofTcp(String name, int otherwise) {
        try {
            // By one read: of a file that says 0 bytes readString reads one, and these answer no second read.
            return Integer.parseInt(Files.readAllLines(OF_TCP.resolve(name)).getFirst());
        } catch (IOException | NumberFormatException | NoSuchElementException e) {
            return otherwise;
        }
    }

    Set<SocketOption<?>> supported() {
        return supported;
    }

    /**
     * Sets an option.
     *
     * @throws UnsupportedOperationException if there is none of that name
     * @throws IllegalArgumentException if {@code value} is none of its values
     */
    <T> void set(SocketOption<T> option, @Nullable T value) {
        require(option);
        if (value == null || !option.type().isInstance(value)) {
            throw new IllegalArgumentException("value of " + option + ": " + value);
        }
        Object kept = value;
        if (value instanceof Integer number) {
            if (option.equals(StandardSocketOptions.SO_LINGER)) {
                kept = Math.clamp(number, -1, MOST_LINGER);
            } else {
                Range range = RANGES.getOrDefault(option, ANY);
                if (number < range.least() || number > range.most()) {
                    throw new IllegalArgumentException(
                            "value of " + option + ": " + value + ", not " + range.least() + " to " + range.most());
                }
            }
        }
        values.put(option, kept);
        changed.add(option);
    }

    /** Sets at {@code channel} what was set here. */
    void giveTo(NetworkChannel channel) throws IOException {
        for (SocketOption<?> each : changed) {
            give(each, channel);
        }
    }

    private <T> void give(SocketOption<T> option, NetworkChannel channel) throws IOException {
        channel.setOption(option, get(option));
    }

    /** Returns the value of an option; otherwise as {@link #set}. */
    <T> T get(SocketOption<T> option) {
        require(option);
        return option.type().cast(Objects.requireNonNull(values.get(option)));
    }

    private void require(SocketOption<?> option) {
        if (!supported.contains(Objects.requireNonNull(option))) {
            throw new UnsupportedOperationException(option + " is not supported; these are: " + supported);
        }
    }

    StreamSizes sizes() {
        return new StreamSizes(
                number(StandardSocketOptions.SO_RCVBUF),
                number(StandardSocketOptions.SO_SNDBUF),
                number(IomapSize.RDMA_IOMAPSIZE));
    }

    private int number(SocketOption<Integer> option) {
        return option.type().cast(Objects.requireNonNull(values.get(option)));
    }

    /** Returns after how many seconds the peer is asked for a sign of life, again and again; 0 if it is not. */
    int keepaliveSeconds() {
        return get(StandardSocketOptions.SO_KEEPALIVE) ? get(ExtendedSocketOptions.TCP_KEEPIDLE) : 0;
    }

    boolean reuseAddress() {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    /** Returns {@code SO_LINGER}: seconds, negative without. */
    int lingerSeconds() {
        return get(StandardSocketOptions.SO_LINGER);
    }

    /** Returns how long a closed stream may take, 0 to abort it. */
    long lingerNanos() {
        int seconds = lingerSeconds();
        return TimeUnit.SECONDS.toNanos(seconds < 0 ? LINGER_SECONDS : seconds);
    }
}
