package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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

    /** Where both ends of a connection are. */
    public enum Route {
        /** Over the loopback. */
        LOOPBACK,
        /** From an address of this host to the same one. */
        ADDRESS,
        /** From the loopback's address to another of this host: to the initiator the peer is elsewhere. */
        ELSEWHERE;

        private InetAddress to() throws IOException {
            return this == LOOPBACK ? InetAddress.getLoopbackAddress() : outward();
        }

        private ConnectionConfig from() {
            ConnectionConfig any = ConnectionConfig.defaults();
            InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            return this == ELSEWHERE ? any.withLocalAddress(loopback) : any;
        }
    }

    /** There is nothing to measure here; the message says why. */
    public static final class NotHereException extends IOException {
        private static final long serialVersionUID = 1;

        NotHereException(String text) {
            super(text);
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

    /**
     * Connects by {@code route} with an initiator and a listener that have these options {@code shm}.
     *
     * @throws NotHereException if this host has no such address
     */
    public static Setups of(Route route, String initiator, String listener) throws IOException {
        InetAddress to = route.to();
        return new Setups(open(initiator), open(listener), route.from(), to);
    }

    /** Returns an IPv4 address of this host that is not the loopback's. */
    private static InetAddress outward() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst()
                .orElseThrow(() -> new NotHereException("this host has no IPv4 address but the loopback's"));
    }

    private static Side open(String shm) {
        return Side.open(OpenConfig.provider("iwarp").with("shm", shm), 2 * Side.DEPTH, BYTES);
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
