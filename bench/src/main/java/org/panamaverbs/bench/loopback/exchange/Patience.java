package org.panamaverbs.bench.loopback.exchange;

import java.util.concurrent.TimeUnit;

/** How a thread spins: it gives the processor away now and then, so that a busy machine goes on. One thread's. */
public final class Patience {
    private static final int SPINS_A_YIELD = 64;
    private static final int SPINS_A_LOOK = 1024;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private int idle;
    private long idleSince;

    /** There was something to do. */
    public void renew() {
        idle = 0;
    }

    /** There was nothing to do. */
    void idle() {
        if (++idle % SPINS_A_YIELD == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /**
     * There was still nothing of what {@code peer} is to send.
     *
     * @throws IllegalStateException if it has failed, or if there was nothing for 20 seconds
     */
    public void await(PeerThread peer) {
        await();
        if (idle % SPINS_A_LOOK == 0) {
            peer.check();
        }
    }

    /**
     * There was still nothing of what a peer is to send.
     *
     * @throws IllegalStateException if there was nothing for 20 seconds
     */
    public void await() {
        idle();
        if (idle == SPINS_A_LOOK) {
            idleSince = System.nanoTime();
        } else if (idle % SPINS_A_LOOK == 0 && System.nanoTime() - idleSince > LIMIT_NANOS) {
            throw new IllegalStateException("nothing came for 20 s: an operation has been lost");
        }
    }
}
