package org.panamaverbs.bench.loopback.exchange;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.OpenConfig;

/** Sets one connection up after the other, with a thread that accepts. */
public final class Setups implements Exchange {
    private static final int BYTES = 64;
    private static final int LOOK_MILLIS = 100;
    private static final int SECONDS = 30;

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

    /** Connects over TCP on the loopback. */
    public static Setups overTcp() {
        OpenConfig options = OpenConfig.provider("iwarp").with("shm", "off");
        return of(options, options, null, InetAddress.getLoopbackAddress());
    }

    /** Connects {@code here}, from an address or any, to a listener of {@code there} at an address of this host. */
    public static Setups of(OpenConfig here, OpenConfig there, @Nullable InetAddress from, InetAddress to) {
        ConnectionConfig any = ConnectionConfig.defaults();
        return new Setups(
                open(here), open(there), from == null ? any : any.withLocalAddress(new InetSocketAddress(from, 0)), to);
    }

    private static Side open(OpenConfig options) {
        return Side.open(options, 2 * Side.DEPTH, BYTES);
    }

    private static Deadline soon() {
        return Deadline.in(SECONDS, TimeUnit.SECONDS);
    }

    private boolean accept() {
        Optional<ConnectionRequest> request = listener.poll(Deadline.in(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        if (request.isEmpty()) {
            return false;
        }
        Connection connection = request.get().accept(there.queuePairs(Side.DEPTH), ConnectionConfig.defaults(), soon());
        accepted.release();
        connection.close();
        return true;
    }

    @Override
    public void run() {
        Connection connection =
                here.verbs().connect(listener.localAddress(), here.queuePairs(Side.DEPTH), config, soon());
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
