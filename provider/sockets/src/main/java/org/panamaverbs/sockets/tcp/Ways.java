package org.panamaverbs.sockets.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.Channel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;
import org.panamaverbs.sockets.rules.Verdict;
import org.panamaverbs.sockets.stream.StreamDevice;
import org.panamaverbs.sockets.tcp.Peers.Kind;

/**
 * The two ways that a socket may go, RDMA and plain TCP, with the rules that choose, what is remembered of peers, and
 * what is logged of the choice.
 */
public final class Ways implements AutoCloseable {
    /** How RDMA is had. */
    public interface DeviceSource {
        /**
         * Returns the device, which is opened the first time.
         *
         * @throws IOException if there is none, with the reason and the remedy of each provider
         */
        StreamDevice device() throws IOException;
    }

    /** Where a channel connects to, what the rules say of that, and what is known of it. */
    public record Target(InetSocketAddress address, Verdict verdict, Kind kind) {
        /** Tells whether the choice is open. */
        public boolean isAuto() {
            return verdict.use() == RdmaUse.AUTO;
        }

        /** Tells whether RDMA is tried. */
        public boolean triesRdma() {
            return verdict.use() == RdmaUse.REQUIRE || (isAuto() && (kind == Kind.UNKNOWN || kind == Kind.RDMA));
        }
    }

    private static final Logger LOG = System.getLogger(Ways.class.getName());

    /** Addresses of which it is remembered that something was said. */
    private static final int MOST_SAID = 1024;

    private final DeviceSource rdma;
    private final Tcp tcp;
    private final SocketRules rules;
    private final long patienceNanos;
    private final Peers peers = new Peers(System::nanoTime);
    private final Set<InetSocketAddress> said = ConcurrentHashMap.newKeySet();

    // Guarded by the set.

    /** Channels that ask a peer while nobody waits. */
    private final Set<Channel> asking = new HashSet<>();

    private boolean closed;

    /**
     * Creates what chooses.
     *
     * @param rdma how RDMA is had
     * @param tcp the JDK's own channels
     * @param rules what is chosen
     * @param patienceNanos how long an unknown peer may take to answer over RDMA before plain TCP is tried, too
     */
    public Ways(DeviceSource rdma, Tcp tcp, SocketRules rules, long patienceNanos) {
        this.rdma = rdma;
        this.tcp = tcp;
        this.rules = rules;
        this.patienceNanos = patienceNanos;
    }

    /** Tells whether all sockets go by plain TCP. */
    public boolean areOff() {
        return rules.areOff();
    }

    public StreamDevice rdma() throws IOException {
        return rdma.device();
    }

    public Tcp tcp() {
        return tcp;
    }

    public SocketRules rules() {
        return rules;
    }

    public Peers peers() {
        return peers;
    }

    public long patienceNanos() {
        return patienceNanos;
    }

    /** Returns how a channel is to connect to {@code address}. */
    public Target target(InetSocketAddress address) {
        Verdict verdict = rules.toConnect(address);
        return new Target(address, verdict, verdict.use() == RdmaUse.AUTO ? peers.of(address) : Kind.UNKNOWN);
    }

    /** Begins to ask a peer by {@code channel}, while nobody waits; false if the provider is closed. */
    public boolean beginsToAsk(Channel channel) {
        synchronized (asking) {
            return !closed && asking.add(channel);
        }
    }

    /** Ends what {@link #beginsToAsk} began. */
    public void hasAsked(Channel channel) {
        synchronized (asking) {
            asking.remove(channel);
        }
    }

    /** Ends what asks peers while nobody waits. */
    @Override
    public void close() {
        Set<Channel> left;
        synchronized (asking) {
            closed = true;
            left = Set.copyOf(asking);
        }
        for (Channel each : left) {
            try {
                each.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "a channel that probed a peer could not be closed", e);
            }
        }
    }

    /** Says that {@code to} is connected to over plain TCP, since RDMA failed; at INFO the first time. */
    public void fellBack(Target to, String why) {
        InetSocketAddress address = to.address;
        // The remedy here is another one.
        String cause = why.replaceFirst("; remedy: .*", "");
        say(
                address,
                "plain TCP to " + address + ", since RDMA failed: " + cause + ". " + to.verdict.why()
                        + "; RDMA is not tried there again for a while; remedy: set the rule"
                        + " \"connect " + address.getAddress().getHostAddress() + " " + address.getPort()
                        + " off\" to skip the attempt, or \"require\" to fail instead");
    }

    /** Says how {@code address} is listened at, and why; at INFO the first time. */
    public void listens(InetSocketAddress address, Verdict verdict, String how) {
        say(address, "listening at " + address + " " + how + ". " + verdict.why());
    }

    private void say(InetSocketAddress address, String text) {
        boolean first = said.size() < MOST_SAID && said.add(address);
        LOG.log(first ? Level.INFO : Level.DEBUG, text);
    }
}
