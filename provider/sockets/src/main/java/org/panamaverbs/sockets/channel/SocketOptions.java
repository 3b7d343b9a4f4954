package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.stream.StreamSizes;

/**
 * The options of one channel. Sizes of buffers count until it is connected or bound, as in C; {@code TCP_NODELAY} is
 * kept and changes nothing, since nothing is delayed; so is {@code SO_KEEPALIVE}, since the provider asks for signs of
 * life by itself.
 */
final class SocketOptions {
    /** What a channel that is connected has. */
    static final Set<SocketOption<?>> OF_STREAM = Set.of(
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_REUSEADDR);

    /** What a channel that listens has. */
    static final Set<SocketOption<?>> OF_LISTENER =
            Set.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR);

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
        values.put(StandardSocketOptions.SO_REUSEADDR, supported.equals(OF_LISTENER));
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
            } else if (number < 0) {
                throw new IllegalArgumentException("value of " + option + ": " + value);
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
        return new StreamSizes((int) Objects.requireNonNull(values.get(StandardSocketOptions.SO_RCVBUF)), (int)
                Objects.requireNonNull(values.get(StandardSocketOptions.SO_SNDBUF)));
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
