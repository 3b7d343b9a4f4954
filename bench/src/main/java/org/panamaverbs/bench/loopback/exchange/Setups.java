package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;

/** Sets one connection up after the other, with a thread that accepts. */
public final class Setups implements Exchange {
    private static final int BYTES = 64;
    private static final int LOOK_MILLIS = 100;
    private static final int SECONDS = 30;

    /** Where the two sides are, as far as their addresses say, and whether memory may be shared. */
    public enum Peers {
        /** On one host, by TCP all the same. */
        BY_TCP("off"),
        /** On one host. */
        BY_SHARED_MEMORY("require"),
        /** Of a loopback address and another: nobody knows that they are on one host. */
        ELSEWHERE("auto"),
        /** The same, where nobody asks. */
        ELSEWHERE_SHM_OFF("off");

        private final String shm;

        Peers(String shm) {
            this.shm = shm;
        }

        private boolean areElsewhere() {
            return this == ELSEWHERE || this == ELSEWHERE_SHM_OFF;
        }
    }

    private final Side here;
    private final Side there;
    private final ConnectionConfig config;
    private final Listener listener;
    private final Semaphore accepted = new Semaphore(0);
    private final PeerThread peer;

    private Setups(Side here, Side there, ConnectionConfig config, InetAddress to) {
        this.here = here;
        this.there = there;
        this.config = config;
        listener = there.verbs().listen(new InetSocketAddress(to, 0));
        peer = PeerThread.start(this::accept);
    }

    /** Connects {@code here}, from an address or any, to a listener of {@code there} at an address of this host. */
    public static Setups of(OpenConfig here, OpenConfig there, @Nullable InetAddress from, InetAddress to) {
        ConnectionConfig any = ConnectionConfig.defaults();
        return new Setups(
                open(here), open(there), from == null ? any : any.withLocalAddress(new InetSocketAddress(from, 0)), to);
    }

    /**
     * Connects as {@code peers} says.
     *
     * @throws IOException if the sides are to be elsewhere, and this host has no address but loopback's
     */
    public static Setups of(Peers peers) throws IOException {
        OpenConfig options = OpenConfig.provider("iwarp").with("shm", peers.shm);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        if (!peers.areElsewhere()) {
            return of(options, options, null, loopback);
        }
        InetAddress elsewhere =
                outward().orElseThrow(() -> new IOException("this host has no IPv4 address but loopback's"));
        return of(options, options, loopback, elsewhere);
    }

    /** Returns an IPv4 address of this host that is not the loopback's, if there is one. */
    public static Optional<InetAddress> outward() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
    }

    private static Side open(OpenConfig options) {
        return Side.open(options, 2 * Side.DEPTH, BYTES);
    }

    private boolean accept() {
        Optional<ConnectionRequest> request = listener.poll(Deadline.in(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        if (request.isEmpty()) {
            return false;
        }
        Connection connection =
                request.get().accept(there.queuePairs(Side.DEPTH), ConnectionConfig.defaults(), Side.soon());
        accepted.release();
        connection.close();
        return true;
    }

    @Override
    public void run() {
        Connection connection =
                here.verbs().connect(listener.localAddress(), here.queuePairs(Side.DEPTH), config, Side.soon());
        await(accepted, peer);
        connection.close();
    }

    /** Waits until the peer has its end. */
    static void await(Semaphore accepted, PeerThread peer) {
        try {
            if (!accepted.tryAcquire(SECONDS, TimeUnit.SECONDS)) {
                peer.check();
                throw new IllegalStateException("the peer has accepted nothing for " + SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        peer.close();
        listener.close();
        here.close();
        there.close();
    }
}
