package org.panamaverbs.bench.loopback.exchange;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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

    private final Side here = open();
    private final Side there = open();
    private final Listener listener = there.verbs().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final Semaphore accepted = new Semaphore(0);
    private final PeerThread peer = PeerThread.start(this::accept);

    private static Side open() {
        return Side.open(OpenConfig.provider("iwarp").with("shm", "off"), 2 * Side.DEPTH, BYTES);
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
        Connection connection = here.verbs().connect(listener.localAddress(), here.queuePairs(Side.DEPTH), soon());
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
