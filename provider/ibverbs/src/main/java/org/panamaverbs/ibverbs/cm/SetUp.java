package org.panamaverbs.ibverbs.cm;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.ibverbs.objects.IbvQueuePair;

/**
 * What an attempt to connect or accept has taken, and has to give back should it fail.
 *
 * <p>An iWARP device that has accepted is left alone until the connection manager has said how that went, even if
 * nobody waits for it any more: iwcm.c of Linux 6.1 takes the end of a stream that it does not know as established yet
 * for a bug in the kernel, and so would fail with it.
 */
final class SetUp {
    // An id whose set-up is over goes at once; longer than this only those go that the kernel keeps.
    private static final long UNDO_SECONDS = 1;
    // The kernel lets go of the slowest, siw waiting for TCP, after about two minutes.
    private static final long ABANDON_SECONDS = 300;

    private final IbvConnectionManager manager;
    private final IbvQueuePair queuePair;
    private final boolean owned;
    private boolean claimed;
    private @Nullable CmId id;

    // Guarded by this.
    private boolean accepting;
    private boolean abandoned;

    /** Begins with {@code queuePair}, which is to be closed with the attempt if {@code owned}. */
    SetUp(IbvConnectionManager manager, IbvQueuePair queuePair, boolean owned) {
        this.manager = manager;
        this.queuePair = queuePair;
        this.owned = owned;
    }

    /**
     * Takes the queue pair, which no other attempt can take then.
     *
     * @throws IllegalStateException if it is not in state INIT or was taken before
     */
    void claim(String operation) {
        manager.claim(queuePair, operation);
        claimed = true;
    }

    /** Takes {@code made}, and returns it. */
    CmId id(CmId made) {
        id = made;
        return made;
    }

    /** Says that the queue pair is connected and the id is its connection's. */
    void done() {
        manager.unclaim(queuePair);
    }

    /** Says that {@code rdma_accept} is called next. */
    synchronized void accepting() {
        accepting = manager.isIwarp();
    }

    /** Says that the connection manager has said how accepting went; any thread. */
    void answered() {
        boolean late;
        synchronized (this) {
            late = accepting && abandoned;
            accepting = false;
        }
        if (late) {
            manager.channel().execute(this::giveBack);
        }
    }

    /**
     * Gives everything back after {@code failure}, which it returns. What the kernel keeps beyond a second is given
     * back later, on another thread.
     */
    RuntimeException undone(RuntimeException failure) {
        CmId taken = id;
        if (taken != null) {
            synchronized (this) {
                abandoned = true;
                if (accepting) {
                    taken.deliverTo(event -> answered());
                    return failure;
                }
            }
        }
        try {
            fail();
            if (owned && (taken == null || taken.awaitDestroyed(UNDO_SECONDS))) {
                queuePair.close();
            } else if (owned) {
                manager.channel().execute(this::closeLater);
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private void giveBack() {
        fail();
        if (owned) {
            closeLater();
        }
    }

    private void fail() {
        CmId taken = id;
        try {
            if (claimed) {
                queuePair.fail();
                manager.unclaim(queuePair);
            }
        } finally {
            if (taken != null) {
                taken.destroy();
            }
        }
    }

    private void closeLater() {
        CmId taken = id;
        if (taken != null) {
            taken.awaitDestroyed(ABANDON_SECONDS);
        }
        queuePair.close();
    }
}
