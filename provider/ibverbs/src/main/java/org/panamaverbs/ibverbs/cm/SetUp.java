package org.panamaverbs.ibverbs.cm;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.ibverbs.objects.IbvQueuePair;

/** What an attempt to connect or accept has taken, and has to give back should it fail. Used by one thread. */
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

    /** Says that the queue pair is connected and the id is its connection's. */
    void done() {
        manager.unclaim(queuePair);
    }

    /** Takes {@code made}, and returns it. */
    CmId id(CmId made) {
        id = made;
        return made;
    }

    /**
     * Gives everything back after {@code failure}, which it returns. What the kernel keeps beyond a second is given
     * back later, on another thread.
     */
    RuntimeException undone(RuntimeException failure) {
        try {
            if (claimed) {
                queuePair.fail();
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        } finally {
            if (claimed) {
                manager.unclaim(queuePair);
            }
        }
        CmId taken = id;
        if (taken != null) {
            taken.destroy();
        }
        if (owned) {
            close(taken, failure);
        }
        return failure;
    }

    private void close(@Nullable CmId taken, RuntimeException failure) {
        if (taken != null && !taken.awaitDestroyed(UNDO_SECONDS)) {
            manager.channel().execute(() -> {
                taken.awaitDestroyed(ABANDON_SECONDS);
                queuePair.close();
            });
            return;
        }
        try {
            queuePair.close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
