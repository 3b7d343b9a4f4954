package org.panamaverbs.channel;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.channel.flow.Frame;

/**
 * How the channels of a group are created. Both ends need the same numbers, except {@link #maxChannels},
 * {@link #batching} and {@link #silence}. Immutable; fields may be added.
 */
public final class ChannelConfig implements Cloneable {
    private static final ChannelConfig DEFAULTS = new ChannelConfig();
    private static final int MIN_RING = 1 << 12;
    private static final int MAX_RING = 1 << 30;
    private static final int MIN_RECEIVES = 1 << 6;
    private static final int MAX_RECEIVES = 1 << 14;
    private static final int MAX_CHANNELS = 1 << 20;
    private static final Duration MIN_SILENCE = Duration.ofMillis(1);
    private static final Duration MAX_SILENCE = Duration.ofDays(1);

    private @Nullable Way way;
    private int ringBytes = 1 << 18;
    private int receives = 1 << 7;
    private int receiveBytes = 1 << 12;
    private int maxMessageLength;
    private int maxChannels = 16;
    private boolean batching;
    private Duration silence = Duration.ZERO;
    private ConnectionConfig connection = ConnectionConfig.defaults();

    private ChannelConfig() {}

    /** Returns the defaults: the best way of the device, rings of 256 KiB, 128 receives of 4 KiB, 16 channels. */
    public static ChannelConfig defaults() {
        return DEFAULTS;
    }

    /**
     * Returns the forced way; empty, the default, for the best one of the device: {@link Way#RING} where it has Writes
     * with immediate data and is not iWARP, else {@link Way#SENDS}. A peer that connects by another one is accepted.
     */
    public Optional<Way> way() {
        return Optional.ofNullable(way);
    }

    /** Returns a copy that uses {@code forced} and refuses peers that use another way. */
    public ChannelConfig withWay(Way forced) {
        Objects.requireNonNull(forced, "way");
        return with(copy -> copy.way = forced);
    }

    /**
     * Returns how many bytes may be published and not yet released in each direction: a power of two from 4 KiB to 1
     * GiB, 256 KiB by default. Each end has a ring of this size for what it publishes, and one for what arrives by
     * Writes: all messages with {@link Way#RING}, those longer than a receive with {@link Way#SENDS}.
     */
    public int ringBytes() {
        return ringBytes;
    }

    /** Returns a copy with rings of {@code bytes}. */
    public ChannelConfig withRingBytes(int bytes) {
        return with(copy -> copy.ringBytes = bytes);
    }

    /**
     * Returns how many receives each end has posted: a power of two from 64 to 16,384, 128 by default. Three quarters
     * of them are for posts with messages, of which each carries several where they wait, but with {@link Way#SENDS} at
     * most one that is longer than a receive.
     */
    public int receives() {
        return receives;
    }

    /**
     * Returns the bytes of each receive with {@link Way#SENDS}: a multiple of 64 from 64 to {@link #ringBytes} and at
     * most 1 MiB, 1 GiB for all receives together; 4 KiB by default. A message longer than this less 8 is written into
     * a ring of the subscriber, and a Send announces it.
     */
    public int receiveBytes() {
        return receiveBytes;
    }

    /** Returns a copy with {@code count} receives of {@code bytes} each. */
    public ChannelConfig withReceives(int count, int bytes) {
        return with(copy -> {
            copy.receives = count;
            copy.receiveBytes = bytes;
        });
    }

    /** Returns the longest message in bytes, from 1 to a quarter of {@link #ringBytes} less 8, which is the default. */
    public int maxMessageLength() {
        return maxMessageLength == 0 ? longest() : maxMessageLength;
    }

    /** Returns a copy with messages of up to {@code bytes}. */
    public ChannelConfig withMaxMessageLength(int bytes) {
        return with(copy -> copy.maxMessageLength = bytes == 0 ? -1 : bytes);
    }

    /** Returns how many channels a group has at most, from 1 to 2^20; 16 by default. Sizes its completion queue. */
    public int maxChannels() {
        return maxChannels;
    }

    /** Returns a copy for groups of up to {@code channels}. */
    public ChannelConfig withMaxChannels(int channels) {
        return with(copy -> copy.maxChannels = channels);
    }

    /**
     * Returns whether messages wait for the next {@link Publisher#flush} or poll of the group, or until an eighth of
     * the ring is filled, so that many share one post; false, the default, posts each at once.
     */
    public boolean batching() {
        return batching;
    }

    /** Returns a copy that batches messages, or not. */
    public ChannelConfig withBatching(boolean batch) {
        return with(copy -> copy.batching = batch);
    }

    /**
     * Returns after how long a peer of which nothing was heard counts as silent, {@link Channel#isPeerSilent}: from 1
     * ms to 1 day; zero, the default, never. Each end then sends something at least twice in its own time, as long as
     * its group is polled or awaits, so both ends need it, best the same: an end with a longer one looks silent.
     *
     * <p>Nothing is heard of a transfer before its end, so the time must exceed the longest one: of a message with
     * {@link Way#SENDS}, of what waits and is posted at once, up to {@link #ringBytes}, with {@link Way#RING}.
     */
    public Duration silence() {
        return silence;
    }

    /** Returns a copy with heart-beats, for peers that are silent after {@code time}. */
    public ChannelConfig withSilence(Duration time) {
        Objects.requireNonNull(time, "silence");
        return with(copy -> copy.silence = time);
    }

    /**
     * Returns the options of connections, whose private data is not used; the defaults of the API by default. TLS is
     * for channels that connect: that of accepted ones is the listener's, and a group with it accepts none.
     */
    public ConnectionConfig connection() {
        return connection;
    }

    /** Returns a copy with {@code options} for connections, such as TLS. */
    public ChannelConfig withConnection(ConnectionConfig options) {
        Objects.requireNonNull(options, "connection");
        return with(copy -> copy.connection = options);
    }

    /** Returns whether messages are written into a ring of the subscriber: all, or those longer than a receive. */
    boolean hasRing(Way its) {
        return its == Way.RING || Frame.span(maxMessageLength()) > receiveBytes;
    }

    private int longest() {
        return ringBytes / 4 - 8;
    }

    private ChannelConfig with(Consumer<ChannelConfig> change) {
        ChannelConfig copy;
        try {
            copy = (ChannelConfig) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
        change.accept(copy);
        copy.check();
        return copy;
    }

    private void check() {
        require("ring bytes", ringBytes, MIN_RING, MAX_RING, Integer.bitCount(ringBytes) == 1, "a power of two");
        require("receives", receives, MIN_RECEIVES, MAX_RECEIVES, Integer.bitCount(receives) == 1, "a power of two");
        require(
                "receive bytes",
                receiveBytes,
                64,
                Math.min(ringBytes, 1 << 20),
                receiveBytes % 64 == 0,
                "a multiple of 64");
        long all = (long) receives * receiveBytes;
        require("bytes of all receives", all, MIN_RING, MAX_RING, true, "fewer receives or shorter ones");
        require("longest message", maxMessageLength(), 1, longest(), true, "a quarter of the ring less 8 at most");
        if (!silence.isZero() && (silence.compareTo(MIN_SILENCE) < 0 || silence.compareTo(MAX_SILENCE) > 0)) {
            throw new IllegalArgumentException("channel config: silence of " + silence + ", expected " + MIN_SILENCE
                    + " to " + MAX_SILENCE + " or zero; remedy: choose a time in this range");
        }
        require("channels", maxChannels, 1, MAX_CHANNELS, true, "in this range");
    }

    private static void require(String name, long value, int least, int most, boolean fits, String form) {
        if (value < least || value > most || !fits) {
            throw new IllegalArgumentException("channel config: " + name + " " + value + ", expected " + least + " to "
                    + most + "; remedy: choose " + form);
        }
    }

    @Override
    public String toString() {
        return "ChannelConfig[way=" + way().map(Way::name).orElse("best") + ", ringBytes=" + ringBytes + ", receives="
                + receives + ", receiveBytes=" + receiveBytes + ", maxMessageLength=" + maxMessageLength()
                + ", maxChannels=" + maxChannels + ", batching=" + batching + ", silence=" + silence + ", connection="
                + connection + "]";
    }
}
