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
 * A selector provider whose {@code java.nio} sockets use RDMA, with the protocol of rdma-core's rsockets: peers are
 * programs with this module, and C programs on {@code rsocket(7)}. Datagrams, pipes and Unix domain sockets are the
 * JDK's, and work with the same selectors.
 *
 * <p>To run an unmodified program:
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED --add-exports java.base/sun.nio.ch=ALL-UNNAMED
 *     -Djava.nio.channels.spi.SelectorProvider=org.panamaverbs.sockets.RdmaSelectorProvider ...
 * </pre>
 *
 * All its channels then use the device of {@link Verbs#open()}, or plain TCP if the {@link SocketRules} say so, or
 * allow the fallback and RDMA is not available. On the module path both flags name modules, the second
 * {@code org.panamaverbs.sockets}.
 *
 * <p>Channels and selectors follow the contracts of their classes, with these differences:
 *
 * <ul>
 *   <li>a channel that is bound before it is connected takes its port when it connects
 *   <li>buffer sizes have an effect only before a channel is connected or bound
 *   <li>{@code TCP_NODELAY}, {@code TCP_KEEPINTERVAL} and {@code TCP_KEEPCOUNT} are stored without effect
 *   <li>no urgent data
 *   <li>if the peer's process ends, a read may throw {@code Connection reset} where TCP would return the end of the
 *       stream
 *   <li>a process that ends waits until closed channels have sent their data, at most half a minute
 * </ul>
 *
 * <p>Any thread may call any method.
 *
 * <p>Sockets of {@code java.net} follow with {@link #installNetSockets}.
 */
public final class RdmaSelectorProvider extends SelectorProvider implements AutoCloseable {
    /**
     * The property with the milliseconds, from 1 to 120,000, that an unknown peer may take to answer over RDMA before
     * plain TCP is tried as well; 200 by default.
     */
    public static final String PATIENCE_PROPERTY = "verbs.sockets.patience";

    /**
     * The property with the microseconds, from 0 to 1,000,000, that a waiting read, write or selection polls before it
     * sleeps; 10 by default, as in C. A selection polls only if one of its channels was ready recently.
     */
    public static final String SPIN_PROPERTY = "verbs.sockets.spin";

    /**
     * The property that is {@code on} if the process's provider {@link #installNetSockets installs} its sockets for
     * {@code java.net} when it is created; {@code off} by default, except for the agent. If that fails, every channel
     * of the provider fails to open, with the reason.
     */
    public static final String NET_PROPERTY = "verbs.sockets.net";

    private final Supplier<StreamDevice> device;

    /** Which sockets go by RDMA; null for all. */
    private final @Nullable Supplier<SocketRules> rules;

    /** What the properties say; an IllegalArgumentException if that is wrong. */
    private final Supplier<SocketSettings> settings;

    /** What its channels have in common with the JDK's. */
    private final Tcp tcp = new Tcp(RdmaSelectorProvider::jdk);

    /** Why the sockets that {@link #NET_PROPERTY} asks for could not be installed. */
    private @Nullable RuntimeException netFailure;

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
     * Closes the device that providers without a device of their own share, after closed channels have ended, for which
     * it waits at most half a minute. Its threads and its shutdown hook end, so that an application server can unload
     * this module's class loader. Does nothing if the device is not open. A channel opened later opens the device
     * again; one opened earlier and not connected yet can no longer be connected.
     *
     * @throws IllegalStateException if a channel is connected or listening, or has not ended; the device is unchanged,
     *     and the call can be repeated
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
     * Creates a provider over {@link Verbs#open()} with the {@link SocketRules#configured} rules. The device is opened
     * on first use, once per process; the rules are read on first use.
     */
    public RdmaSelectorProvider() {
        this(null, RdmaSelectorProvider::shared, SocketSettings::configured, SocketRules::configured);
        netFailure = NetSockets.installIfAsked();
    }

    /**
     * Creates a provider over an open device; all its sockets use RDMA. Close the device after this provider.
     *
     * @throws IllegalArgumentException if a property {@code verbs.sockets.*} is invalid, with the valid values
     * @throws UnsupportedOperationException if the device's provider has no event queues
     */
    public RdmaSelectorProvider(Verbs verbs) {
        this(Objects.requireNonNull(verbs), SocketSettings.configured(), null);
    }

    /**
     * Creates a provider over an open device with rules. Close the device after this provider.
     *
     * @throws IllegalArgumentException if a property {@code verbs.sockets.*} is invalid, with the valid values
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

    /** Creates a provider over the device of the process, all of whose sockets use RDMA. */
    static RdmaSelectorProvider ofRdmaAlone() {
        return new RdmaSelectorProvider(null, RdmaSelectorProvider::shared, SocketSettings::configured, null);
    }

    /**
     * Has {@link java.net.Socket} and {@link java.net.ServerSocket} of this process use RDMA by the
     * {@link SocketRules#configured} rules, from now on. Sockets that were created before, and server sockets among
     * them with all that they accept, remain the JDK's, so call it before the program opens any. A server socket from
     * before whose {@code accept} makes the {@link java.net.Socket} itself, as {@code SSLServerSocket} does and
     * subclasses with {@code implAccept(new Socket())}, accepts nothing from then on: it throws "cannot accept a
     * connection with an instance of". The agent, which comes before all of them, avoids that. With rules that are
     * {@code off} for all addresses, nothing is installed. A second call does nothing.
     *
     * <p>An unmodified program needs no call: {@code -javaagent:panama-verbs-sockets.jar} has the same effect before
     * its main method, and also makes this class the provider of {@code java.nio}, unless a property names another. The
     * JDK has one factory for each of both classes and none to undo it: what is installed remains until the process
     * ends, and so do this class and its loader.
     *
     * @throws IllegalArgumentException if a property {@code verbs.sockets.*} or the rules are invalid
     * @throws IllegalStateException if the program has set a factory of its own, or the JDK's channels are not
     *     available, with the flag that is missing
     * @see java.net.Socket#setSocketImplFactory
     * @see java.net.ServerSocket#setSocketFactory
     */
    public static void installNetSockets() {
        NetSockets.install();
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
        if (netFailure != null) {
            throw new IOException(NET_PROPERTY + "=on: " + netFailure.getMessage(), netFailure);
        }
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
     * Opens a channel that is not connected. With rules, connecting decides between RDMA and TCP; if the rules are
     * {@code off} for all addresses, the channel is the JDK's.
     *
     * @throws IOException if the rules cannot be read, a property {@code verbs.sockets.*} is invalid, or the sockets
     *     that {@link #NET_PROPERTY} asks for could not be installed; without rules, if there is no device, with the
     *     reason and the remedy for each provider
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

    /** Opens a channel: as {@link #openSocketChannel()} for Internet addresses, the JDK's for Unix domain sockets. */
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

    /**
     * Opens a channel: as {@link #openServerSocketChannel()} for Internet addresses, the JDK's for Unix domain sockets.
     */
    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family) ? openServerSocketChannel(tcp.family(family)) : jdk().openServerSocketChannel(family);
    }

    private static boolean isInternet(ProtocolFamily family) {
        return family.equals(StandardProtocolFamily.INET) || family.equals(StandardProtocolFamily.INET6);
    }

    /**
     * Opens a selector for RDMA channels of any provider, and for the JDK's channels.
     *
     * @throws IOException if the system has no file descriptor left, or a property {@code verbs.sockets.*} is invalid
     */
    @Override
    public AbstractSelector openSelector() throws IOException {
        try {
            return new RdmaSelector(this, jdk(), settings.get().spinNanos());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Opens a datagram channel of the JDK. */
    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return jdk().openDatagramChannel();
    }

    /** Opens a datagram channel of the JDK. */
    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return jdk().openDatagramChannel(family);
    }

    /** Opens a pipe of the JDK. */
    @Override
    public Pipe openPipe() throws IOException {
        return jdk().openPipe();
    }

    /** Returns the JDK's inherited channel. */
    @Override
    public @Nullable Channel inheritedChannel() throws IOException {
        return jdk().inheritedChannel();
    }

    /**
     * Waits until closed channels have ended, at most half a minute, and frees what they shared. A provider without a
     * device of its own frees nothing: see {@link #closeSharedDevice}.
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
