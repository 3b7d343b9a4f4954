package org.panamaverbs.channel;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.memory.Resources;

/**
 * Channels of one thread over one device, with one completion queue: connects and accepts them, does their work, and
 * hands out what arrives at any of them.
 *
 * <pre>{@code
 * try (var verbs = Verbs.open();
 *         var group = ChannelGroup.open(verbs, ChannelConfig.defaults())) {
 *     var channel = group.connect(server, Deadline.in(5, SECONDS));
 *     var publisher = channel.publisher();
 *     if (publisher.tryClaim(8) > 0) {
 *         var claim = publisher.claim();
 *         claim.segment().set(ValueLayout.JAVA_LONG, claim.offset(), 42);
 *         claim.commit();
 *     }
 *     group.poll((from, memory, offset, length) -> System.out.println(length + " bytes"), 16);
 *     channel.disconnect(Deadline.in(5, SECONDS));
 * }
 * }</pre>
 *
 * <p>A group and its channels are for one thread. While that thread does not poll, publishers of its peers get
 * {@link Publisher#BACK_PRESSURED}, and nothing is lost.
 */
public final class ChannelGroup implements AutoCloseable {
    private static final int COMPLETIONS = 64;

    private final Verbs verbs;
    private final String provider;
    private final String device;
    private final ChannelConfig config;
    private final Resources scope = new Resources();
    private final CompletionChannel events;
    private final CompletionQueue queue;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(COMPLETIONS);

    // Flight Recorder looks at them, on a thread of its own.
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private final Set<PendingChannel> pending = new LinkedHashSet<>();
    private final ArrayDeque<Channel> ready = new ArrayDeque<>();
    private final ArrayDeque<Channel> unposted = new ArrayDeque<>();
    private final Channel[] touched = new Channel[COMPLETIONS];

    /** Whether something has come since the last wait, which a call for another channel may have found. */
    private boolean news;

    /** A quarter of the time after which a peer is silent, 0 for none, and when it was over last. */
    private final long beatNanos;

    private long lastBeat = System.nanoTime();

    /** When the next is due, once somebody has waited for it. */
    private @Nullable Deadline nextBeat;

    /** The channels, for a beat that allocates nothing; null if they have changed since the last one. */
    private Channel @Nullable [] beating;

    /** How often a channel has ended in whatever way. */
    private int endings;

    private ChannelGroup(Verbs verbs, ChannelConfig config) {
        this.verbs = verbs;
        provider = verbs.provider();
        device = verbs.device().name();
        this.config = config;
        beatNanos = config.silence().toNanos() / 4;
        boolean made = false;
        try {
            events = scope.add(verbs.completionChannel());
            // Each receive, each post and, at the end, each large message can complete while nobody polls.
            int large = Channel.maxLarge(config);
            long each = 2L * config.receives() + large;
            long entries = each * config.maxChannels();
            int most = verbs.capabilities().maxCqe();
            if (entries > most) {
                throw new IllegalArgumentException("channel group: " + config.maxChannels() + " channels of "
                        + config.receives() + " receives need " + entries + " completions, and the device has " + most
                        + "; remedy: lower maxChannels or receives"
                        + (large > 0 ? ", raise receiveBytes" : "") + ", or open several groups");
            }
            queue = scope.add(verbs.completionQueue(
                    CompletionQueueConfig.of((int) entries).withChannel(events)));
            if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
                scope.add(ChannelStatistics.of(this));
            }
            made = true;
        } finally {
            if (!made) {
                scope.close();
            }
        }
    }

    /**
     * Opens a group without channels.
     *
     * @param verbs the device; stays the caller's, and open as long as the group
     * @throws IllegalArgumentException if the device holds fewer completions than the channels need
     * @throws UnsupportedOperationException if {@code config} forces a way that the device does not have
     */
    public static ChannelGroup open(Verbs verbs, ChannelConfig config) {
        if (config.way().filter(Way.RING::equals).isPresent()) {
            verbs.capabilities()
                    .require(
                            Capabilities.Feature.WRITE_WITH_IMMEDIATE,
                            verbs.device().name());
        }
        return new ChannelGroup(verbs, config);
    }

    Verbs verbs() {
        return verbs;
    }

    String provider() {
        return provider;
    }

    String device() {
        return device;
    }

    /** Calls {@code taker} with each channel. Any thread. */
    void forEach(Consumer<Channel> taker) {
        channels.forEach(taker);
    }

    /**
     * Connects a channel and waits until it is established. The group's other channels make no progress meanwhile.
     *
     * @param address where the peer listens
     * @param deadline until when to wait
     * @return the channel, closed by the caller or with the group
     * @throws ChannelException if the peer is none of this release, or is configured otherwise
     * @throws org.panamaverbs.api.VerbsException if there is no connection, as {@link Verbs#connect} says
     * @throws IllegalStateException if the group has {@link ChannelConfig#maxChannels} channels
     */
    public Channel connect(InetSocketAddress address, Deadline deadline) {
        requireRoom();
        Channel channel = new Channel(this, queue, config, way());
        return connected(channel, () -> verbs.connect(address, channel.queuePair(), options(channel), deadline));
    }

    /**
     * Starts to connect a channel without waiting, neither for name resolution nor for the peer: the group's other
     * channels go on. Otherwise as {@link #connect}.
     *
     * @param deadline when the attempt fails by itself
     * @return the attempt, whose channel counts as one of the group's
     * @throws UnsupportedOperationException if the provider has no event queues
     */
    public PendingChannel beginConnect(InetSocketAddress address, Deadline deadline) {
        requireRoom();
        Channel channel = new Channel(this, queue, config, way());
        boolean made = false;
        try {
            PendingChannel attempt = new PendingChannel(
                    this, channel, verbs.beginConnect(address, channel.queuePair(), options(channel), deadline));
            pending.add(attempt);
            made = true;
            return attempt;
        } finally {
            if (!made) {
                channel.close();
            }
        }
    }

    private ConnectionConfig options(Channel channel) {
        return config.connection().withPrivateData(channel.setup(config).encode());
    }

    void ended(PendingChannel attempt) {
        pending.remove(attempt);
    }

    /** Returns {@code channel} with the connection that {@code connecting} returns, or closes it. */
    Channel connected(Channel channel, Supplier<Connection> connecting) {
        boolean made = false;
        try {
            Connection connection = connecting.get();
            channel.connected(connection);
            byte[] data = connection.privateData();
            requireAlike(data, channel.way());
            took(channel, data);
            made = true;
        } catch (ConnectionException e) {
            throw rejected(e, channel);
        } finally {
            if (!made) {
                channel.close();
            }
        }
        return channel;
    }

    private RuntimeException rejected(ConnectionException e, Channel channel) {
        if (e.reason() != ConnectionException.Reason.REJECTED) {
            return e;
        }
        try {
            requireAlike(e.privateData(), channel.way());
        } catch (ChannelException difference) {
            difference.initCause(e);
            return difference;
        }
        return new ChannelException(
                "channel: the peer, which is configured alike, rejected it; remedy: raise maxChannels there", e);
    }

    private void requireAlike(byte[] data, Way mine) {
        Way its = Setup.way(data, config);
        if (its != mine) {
            throw new ChannelException("channel: the peer answers with " + its + ", expected " + mine
                    + "; remedy: configure both sides alike");
        }
    }

    /**
     * Accepts a peer that connects a channel, and waits until it is established; rejects others. The group's other
     * channels make no progress meanwhile.
     *
     * @param request what a listener of {@code verbs} returned; answered or closed when this returns or throws. A peer
     *     that is rejected learns the numbers of this side
     * @param deadline until when to wait
     * @return the channel, closed by the caller or with the group
     * @throws ChannelException if the peer is none of this release, or is configured otherwise
     * @throws org.panamaverbs.api.VerbsException if there is no connection, as {@link ConnectionRequest#accept} says
     * @throws IllegalStateException if the group has {@link ChannelConfig#maxChannels} channels
     * @throws IllegalArgumentException if {@link ChannelConfig#connection} has what accepted connections cannot have
     */
    public Channel accept(ConnectionRequest request, Deadline deadline) {
        Channel channel = null;
        boolean made = false;
        try {
            requireRoom();
            byte[] data = request.privateData();
            Way way = Setup.way(data, config);
            if (config.way().orElse(way) != way || (way == Way.RING && !hasRing())) {
                throw new ChannelException("channel: the peer at " + request.remoteAddress() + " uses " + way
                        + ", which this side does not; remedy: configure both sides alike");
            }
            if (config.hasRing(way)) {
                Setup.ring(data, config);
            }
            channel = new Channel(this, queue, config, way);
            channel.connected(request.accept(channel.queuePair(), options(channel), deadline));
            took(channel, data);
            made = true;
            return channel;
        } finally {
            if (!made) {
                refuse(request, channel);
            }
        }
    }

    private void refuse(ConnectionRequest request, @Nullable Channel channel) {
        try {
            if (channel == null) {
                request.reject(new Setup(way(), config, 0, 0).encode());
            } else {
                channel.close();
            }
        } finally {
            // Drops the peer if it has no answer yet.
            request.close();
        }
    }

    private void took(Channel channel, byte[] data) {
        if (config.hasRing(channel.way())) {
            channel.remoteRing(Setup.ring(data, config));
        }
        channels.add(channel);
        beating = null;
        if (channel.inbound().hasFrames()) {
            ready(channel);
        }
    }

    private void requireRoom() {
        int count = channels.size() + pending.size();
        if (count >= config.maxChannels()) {
            throw new IllegalStateException("channel group: it has " + count
                    + " channels already; remedy: raise maxChannels, or open another group");
        }
    }

    private Way way() {
        return config.way().orElseGet(this::best);
    }

    /** iWARP carries immediate data in a message of its own (RFC 7306 §6), which a Send saves. */
    private Way best() {
        return hasRing() && verbs.device().transport() != DeviceInfo.Transport.IWARP ? Way.RING : Way.SENDS;
    }

    private boolean hasRing() {
        return verbs.capabilities().has(Capabilities.Feature.WRITE_WITH_IMMEDIATE);
    }

    /**
     * Does the work of all channels, and hands the messages that are there to {@code handler}, without waiting: fan-in.
     * Channels take turns. Allocates nothing.
     *
     * @param handler takes each message
     * @param limit messages of one channel at most, from 1
     * @return the number of messages taken
     */
    public int poll(MessageHandler handler, int limit) {
        progress();
        int taken = 0;
        for (int turns = ready.size(); turns > 0; turns--) {
            Channel channel = ready.poll();
            if (channel == null) {
                break;
            }
            channel.ready = false;
            taken += channel.deliver(handler, limit);
        }
        return taken;
    }

    /** Posts what waits, takes completions and does what they made possible; hands out nothing. */
    void progress() {
        for (Channel its = unposted.poll(); its != null; its = unposted.poll()) {
            its.unposted = false;
            its.flush();
        }
        // Once around the queue: peers that are faster than this thread do not hold it here.
        int rounds = queue.capacity() / COMPLETIONS + 1;
        int count;
        do {
            count = queue.poll(completions);
            news |= count > 0;
            int hit = 0;
            for (int i = 0; i < count; i++) {
                if (completions.get(i).attachment() instanceof Channel channel) {
                    channel.on(completions.get(i));
                    if (!channel.touched) {
                        channel.touched = true;
                        touched[hit++] = channel;
                    }
                }
            }
            for (int i = 0; i < hit; i++) {
                Channel channel = touched[i];
                channel.touched = false;
                channel.service();
                if (channel.inbound().hasFrames()) {
                    ready(channel);
                }
            }
        } while (count == COMPLETIONS && --rounds > 0);
        if (beatNanos > 0) {
            beat();
        }
    }

    private void beat() {
        long now = System.nanoTime();
        if (now - lastBeat >= beatNanos) {
            lastBeat = now;
            nextBeat = null;
            Channel[] all = beating;
            if (all == null) {
                all = channels.toArray(Channel[]::new);
                beating = all;
            }
            for (Channel channel : all) {
                news |= channel.beat();
            }
        }
    }

    void channelEnds() {
        endings++;
        news = true;
    }

    int endings() {
        return endings;
    }

    void ready(Channel channel) {
        if (!channel.ready && channel.state() != Channel.State.CLOSED) {
            channel.ready = true;
            ready.add(channel);
        }
    }

    void unposted(Channel channel) {
        if (!channel.unposted) {
            channel.unposted = true;
            unposted.add(channel);
        }
    }

    /**
     * Waits until a channel has messages, room, an end or a silent peer, asleep if need be; a poll then finds it. What
     * another call has found since the last wait counts as well, so this may return once without need.
     *
     * @param deadline until when to wait
     * @return false if the deadline passed
     * @throws org.panamaverbs.api.WaitInterruptedException if the thread is interrupted; the interrupt flag stays set
     */
    public boolean await(Deadline deadline) {
        while (!arm()) {
            if (events.await(beatOr(deadline)).isEmpty() && deadline.passed()) {
                return false;
            }
        }
        return true;
    }

    private Deadline beatOr(Deadline deadline) {
        long left = lastBeat + beatNanos - System.nanoTime();
        if (beatNanos == 0 || deadline.remainingNanos() <= left) {
            return deadline;
        }
        Deadline next = nextBeat;
        if (next == null) {
            next = Deadline.in(left, TimeUnit.NANOSECONDS);
            nextBeat = next;
        }
        return next;
    }

    /**
     * Prepares to sleep on {@link #completionChannel}, for a thread that waits for other things too.
     *
     * @return true if there may be something to do now, as {@link #await} says; false if an event will follow. With
     *     {@link ChannelConfig#silence} call it at least eight times in that time
     */
    public boolean arm() {
        progress();
        if (!news && !hasReady()) {
            queue.arm(false);
            progress();
        }
        boolean something = news || hasReady();
        news = false;
        return something;
    }

    private boolean hasReady() {
        while (!ready.isEmpty()) {
            Channel first = ready.element();
            if (first.state() != Channel.State.CLOSED && first.inbound().hasFrames()) {
                return true;
            }
            ready.remove();
            first.ready = false;
        }
        return false;
    }

    /** Returns the channel of the armed queue, for an {@link org.panamaverbs.api.EventQueue}; the group closes it. */
    public CompletionChannel completionChannel() {
        return events;
    }

    /** Returns how many channels are not closed. */
    public int size() {
        return channels.size();
    }

    void closed(Channel channel) {
        channelEnds();
        channels.remove(channel);
        beating = null;
        if (channel.ready) {
            channel.ready = false;
            ready.remove(channel);
        }
        if (channel.unposted) {
            channel.unposted = false;
            unposted.remove(channel);
        }
    }

    /** Aborts all attempts, closes all channels, as {@link Channel#close} does, and the group's objects. */
    @Override
    public void close() {
        new ArrayList<>(pending).forEach(PendingChannel::close);
        for (Channel channel : new ArrayList<>(channels)) {
            channel.close();
        }
        scope.close();
    }
}
