package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.panamaverbs.sockets.rules.SocketRules;
import org.panamaverbs.sockets.rules.Verdict;
import org.panamaverbs.sockets.stream.StreamDevice;

/**
 * The two ways that a socket may go, RDMA and plain TCP, with the rules that choose, and what is said of the choice.
 */
public final class Ways {
    /** How RDMA is had. */
    public interface DeviceSource {
        /**
         * Returns the device, which is opened the first time.
         *
         * @throws IOException if there is none, with the reason and the remedy of each provider
         */
        StreamDevice device() throws IOException;
    }

    private static final Logger LOG = System.getLogger(Ways.class.getName());

    /** Addresses of which it is remembered that something was said. */
    private static final int MOST_SAID = 1024;

    private final DeviceSource rdma;
    private final Supplier<SelectorProvider> tcp;
    private final SocketRules rules;
    private final long patienceSeconds;
    private final Set<InetSocketAddress> said = ConcurrentHashMap.newKeySet();

    /**
     * Makes what chooses.
     *
     * @param rdma how RDMA is had
     * @param tcp the JDK's own provider
     * @param rules what is chosen
     * @param patienceSeconds how long RDMA is tried where plain TCP may follow
     */
    public Ways(DeviceSource rdma, Supplier<SelectorProvider> tcp, SocketRules rules, long patienceSeconds) {
        this.rdma = rdma;
        this.tcp = tcp;
        this.rules = rules;
        this.patienceSeconds = patienceSeconds;
    }

    StreamDevice rdma() throws IOException {
        return rdma.device();
    }

    SelectorProvider tcp() {
        return tcp.get();
    }

    SocketRules rules() {
        return rules;
    }

    long patienceSeconds() {
        return patienceSeconds;
    }

    /** Says that {@code address} is connected to by plain TCP, since RDMA failed; aloud the first time. */
    void fellBack(InetSocketAddress address, Verdict verdict, IOException why) {
        say(
                address,
                "plain TCP to " + address + ", as RDMA is not to be had: " + why.getMessage() + ". " + verdict.why()
                        + "; the rule \"connect "
                        + address.getAddress().getHostAddress() + " " + address.getPort()
                        + " off\" spares the attempt, and with require this is an exception");
    }

    /** Says how {@code address} is listened at, and why; aloud the first time. */
    void listens(InetSocketAddress address, Verdict verdict, String how) {
        say(address, "listening at " + address + " " + how + ". " + verdict.why());
    }

    private void say(InetSocketAddress address, String text) {
        boolean first = said.size() < MOST_SAID && said.add(address);
        LOG.log(first ? Level.INFO : Level.DEBUG, text);
    }
}
