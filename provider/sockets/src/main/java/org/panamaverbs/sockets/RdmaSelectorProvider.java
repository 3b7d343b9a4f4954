package org.panamaverbs.sockets;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.sockets.channel.FallbackServerSocketChannel;
import org.panamaverbs.sockets.channel.FallbackSocketChannel;
import org.panamaverbs.sockets.channel.RdmaServerSocketChannel;
import org.panamaverbs.sockets.channel.RdmaSocketChannel;
import org.panamaverbs.sockets.rules.SocketRules;
import org.panamaverbs.sockets.selector.RdmaSelector;
import org.panamaverbs.sockets.stream.StreamDevice;
import org.panamaverbs.sockets.tcp.Family;
import org.panamaverbs.sockets.tcp.Tcp;
import org.panamaverbs.sockets.tcp.Ways;

/**
 * Opens sockets of {@code java.nio} that go by RDMA, and speak the protocol of rdma-core's rsockets: their peers are
 * those of this module, and C programs on {@code rsocket(7)}. Everything else of {@code java.nio}, datagrams, pipes,
 * sockets of Unix, is the JDK's, and may be in the same selectors.
 *
 * <p>Unmodified programs get it by
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED --add-exports java.base/sun.nio.ch=ALL-UNNAMED
 *     -Djava.nio.channels.spi.SelectorProvider=org.panamaverbs.sockets.RdmaSelectorProvider ...
 * </pre>
 *
 * and then all their channels are of the one device that {@link Verbs#open()} gives, or plain TCP's where the
 * {@link SocketRules} say so, or leave it open and RDMA cannot be had. On the module path both flags name modules, the
 * second {@code org.panamaverbs.sockets}.
 *
 * <p>Channels and selectors are as the contracts of their classes say, with these differences: a channel that is bound
 * before it is connected takes its port when it connects; sizes of buffers count until a channel is connected or bound;
 * {@code TCP_NODELAY}, {@code TCP_KEEPINTERVAL} and {@code TCP_KEEPCOUNT} are kept and change nothing; there is no
 * urgent data. A connection whose peer ends without a word gives {@code Connection reset} where TCP might give the end
 * of the stream; a process that ends waits for channels that were closed until what was written has gone, half a minute
 * at most. All methods may be called by any thread.
 */
public final class RdmaSelectorProvider extends SelectorProvider implements AutoCloseable {
    /**
     * The property that says how many milliseconds a peer of which nothing is known may take to answer over RDMA before
     * plain TCP is tried, too, from 1 to 120,000; without it 200.
     */
    public static final String PATIENCE_PROPERTY = "verbs.sockets.patience";

    /**
     * The property that says how many microseconds a read, write or selection that waits polls before it sleeps, from 0
     * to 1,000,000; without it 10, as C has it. A selection polls only if one of its channels was ready not long ago.
     */
    public static final String SPIN_PROPERTY = "verbs.sockets.spin";

    private final Supplier<StreamDevice> device;

    /** Which sockets go by RDMA; null for all. */
    private final @Nullable Supplier<SocketRules> rules;

    /** What the properties say; an IllegalArgumentException if that is wrong. */
    private final Supplier<SocketSettings> settings;

    /** What its channels have in common with the JDK's. */
    private final Tcp tcp = new Tcp(RdmaSelectorProvider::jdk);

    /** Made when it is first used, from the rules. */
    private @Nullable Ways ways;

    /** The device, if it is this provider's alone. */
    private final @Nullable StreamDevice own;

    /** The device of all providers that were made without one, open from its first use to the call that closes it. */
    private static @Nullable StreamDevice shared;

    /** What waits for the end of its streams where the process ends; null without a device. */
    private static @Nullable Thread atExit;

    private static synchronized StreamDevice shared() {
        if (shared == null) {
            long spinNanos = SocketSettings.configured().spinNanos();
            // Asked for by any thread, as of a pool that knows no application.
            ClassLoader loader = RdmaSelectorProvider.class.getClassLoader();
            StreamDevice opened = new StreamDevice(Verbs.open(OpenConfig.fromEnvironment(), loader), true, spinNanos);
            // What was written before a close reaches the peer, as it does by TCP, though the program is at its end.
            atExit = Thread.ofPlatform().name("rsockets-end").unstarted(opened::awaitEnds);
            Runtime.getRuntime().addShutdownHook(atExit);
            shared = opened;
        }
        return shared;
    }

    /**
     * Closes the device that all providers share which were made without one, if it is open, after the channels that
     * were closed have ended, for which it waits half a minute at most. Its threads and its shutdown hook go with it,
     * so that an application server can unload the class loader that has this module. Does nothing if it is not open. A
     * channel that is opened later opens a device anew; one that was opened before and is not connected yet cannot be
     * connected any more.
     *
     * @throws IllegalStateException if a channel is connected or listening, or has not ended; the device stays as it
     *     was, and this can be called again
     */
    public static synchronized void closeSharedDevice() {
        StreamDevice open = shared;
        Thread hook = atExit;
        if (open == null || hook == null) {
            return;
        }
        open.close();
        shared = null;
        atExit = null;
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process ends, and the hook runs.
            return;
        }
    }

    /**
     * Makes a provider over {@link Verbs#open()}, which is opened when it is first used, once for the process, with the
     * {@link SocketRules#configured}, which are read when they are first used.
     */
    public RdmaSelectorProvider() {
        this(null, RdmaSelectorProvider::shared, SocketSettings::configured, SocketRules::configured);
    }

    /**
     * Makes a provider over an open device, which is to be closed after this. All its sockets go by RDMA.
     *
     * @throws IllegalArgumentException if a property {@code verbs.sockets.*} is wrong, saying what would be right
     * @throws UnsupportedOperationException if the device's provider has no event queues
     */
    public RdmaSelectorProvider(Verbs verbs) {
        this(Objects.requireNonNull(verbs), SocketSettings.configured(), null);
    }

    /**
     * Makes a provider over an open device, which is to be closed after this, with rules.
     *
     * @throws IllegalArgumentException if a property {@code verbs.sockets.*} is wrong, saying what would be right
     * @throws UnsupportedOperationException if the device's provider has no event queues
     */
    public RdmaSelectorProvider(Verbs verbs, SocketRules rules) {
        this(Objects.requireNonNull(verbs), SocketSettings.configured(), () -> rules);
    }

    private RdmaSelectorProvider(Verbs verbs, SocketSettings settings, @Nullable Supplier<SocketRules> rules) {
        this(new StreamDevice(verbs, false, settings.spinNanos()), settings, rules);
    }

    private RdmaSelectorProvider(StreamDevice own, SocketSettings settings, @Nullable Supplier<SocketRules> rules) {
        this(own, () -> own, () -> settings, rules);
    }

    private RdmaSelectorProvider(
            @Nullable StreamDevice own,
            Supplier<StreamDevice> device,
            Supplier<SocketSettings> settings,
            @Nullable Supplier<SocketRules> rules) {
        this.own = own;
        this.device = device;
        this.settings = settings;
        this.rules = rules;
    }

    /** Makes a provider over the device of the process, all of whose sockets go by RDMA. */
    static RdmaSelectorProvider ofRdmaAlone() {
        return new RdmaSelectorProvider(null, RdmaSelectorProvider::shared, SocketSettings::configured, null);
    }

    private static SelectorProvider jdk() {
        return JdkProvider.instead(RdmaSelectorProvider.class);
    }

    private StreamDevice device() throws IOException {
        try {
            return device.get();
        } catch (RuntimeException e) {
            throw new IOException("no RDMA device can be opened: " + e.getMessage(), e);
        }
    }

    /** Returns what chooses by the rules; null if there are none. */
    private synchronized @Nullable Ways ways() throws IOException {
        if (ways == null && rules != null) {
            try {
                ways = new Ways(this::device, tcp, rules.get(), settings.get().patienceNanos());
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        return ways;
    }

    /**
     * Opens a channel that is not connected. With rules it is none of RDMA or TCP before it is; the JDK's, if they say
     * {@code off} of all addresses.
     *
     * @throws IOException if the rules cannot be read, or a property {@code verbs.sockets.*} is wrong; without rules if
     *     there is no device, with the reason and the remedy of each provider
     */
    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return openSocketChannel(tcp.family(null));
    }

    private SocketChannel openSocketChannel(Family family) throws IOException {
        Ways its = ways();
        if (its != null && its.areOff()) {
            return tcp.open(family);
        }
        return its != null
                ? new FallbackSocketChannel(this, its, family)
                : new RdmaSocketChannel(this, device(), tcp, family);
    }

    /** Opens a channel: of Internet addresses as {@link #openSocketChannel()}, of Unix addresses the JDK's. */
    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family) ? openSocketChannel(tcp.family(family)) : jdk().openSocketChannel(family);
    }

    /** Opens a channel that is not bound; otherwise as {@link #openSocketChannel()}. */
    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return openServerSocketChannel(tcp.family(null));
    }

    private ServerSocketChannel openServerSocketChannel(Family family) throws IOException {
        Ways its = ways();
        if (its != null && its.areOff()) {
            return tcp.openListener(family);
        }
        return its != null
                ? new FallbackServerSocketChannel(this, its, family)
                : new RdmaServerSocketChannel(this, device(), tcp, family);
    }

    /** Opens a channel: of Internet addresses as {@link #openServerSocketChannel()}, of Unix addresses the JDK's. */
    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family) ? openServerSocketChannel(tcp.family(family)) : jdk().openServerSocketChannel(family);
    }

    private static boolean isInternet(ProtocolFamily family) {
        return family.equals(StandardProtocolFamily.INET) || family.equals(StandardProtocolFamily.INET6);
    }

    /**
     * Opens a selector for channels of any provider over RDMA, and for the JDK's.
     *
     * @throws IOException if the system has no descriptor for it, or a property {@code verbs.sockets.*} is wrong
     */
    @Override
    public AbstractSelector openSelector() throws IOException {
        try {
            return new RdmaSelector(this, jdk(), settings.get().spinNanos());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Opens a channel of the JDK's. */
    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return jdk().openDatagramChannel();
    }

    /** Opens a channel of the JDK's. */
    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return jdk().openDatagramChannel(family);
    }

    /** Opens a pipe of the JDK's. */
    @Override
    public Pipe openPipe() throws IOException {
        return jdk().openPipe();
    }

    /** Returns what the JDK returns. */
    @Override
    public @Nullable Channel inheritedChannel() throws IOException {
        return jdk().inheritedChannel();
    }

    /**
     * Waits until the channels that were closed have ended, for half a minute at most, and closes what they had in
     * common. Of a provider made without a device nothing is closed: {@link #closeSharedDevice} does that.
     *
     * @throws IllegalStateException if a channel is open, or has not ended
     */
    @Override
    public void close() {
        synchronized (this) {
            if (ways != null && own != null) {
                ways.close();
            }
        }
        if (own != null) {
            own.close();
        }
    }
}
