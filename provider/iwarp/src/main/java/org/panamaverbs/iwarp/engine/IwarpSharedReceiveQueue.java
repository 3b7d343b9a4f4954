package org.panamaverbs.iwarp.engine;

import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.iwarp.core.ReceiveRing;
import org.panamaverbs.iwarp.core.ReceiveSlot;
import org.panamaverbs.iwarp.core.ReceiveSource;
import org.panamaverbs.memory.ManagedResource;

/** Receives that the streams of several queue pairs take from. */
final class IwarpSharedReceiveQueue extends ManagedResource implements SharedReceiveQueue {
    private final IwarpVerbs verbs;
    private final SharedReceiveQueueConfig config;
    private final SpinLock lock = new SpinLock();
    // Guarded by the lock.
    private final ReceiveRing ring;
    private final ReceiveShares shares;
    private int limit;

    IwarpSharedReceiveQueue(
            IwarpVerbs verbs, IwarpProtectionDomain domain, int number, SharedReceiveQueueConfig config) {
        super("shared receive queue " + number, domain);
        this.verbs = verbs;
        this.config = config;
        ring = new ReceiveRing(config.maxWr(), config.maxSge());
        shares = new ReceiveShares(config.maxWr(), verbs.options().sharePercent());
    }

    /** Tells whether it was made by {@code context}. */
    boolean isOf(IwarpVerbs context) {
        return verbs == context;
    }

    @Override
    public SharedReceiveQueueConfig config() {
        return config;
    }

    @Override
    public int postRecv(long wrId, long address, long length, int lkey) {
        requireOpen();
        lock.lock();
        try {
            return counted(ring.post(wrId, address, length, lkey));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        requireOpen();
        lock.lock();
        try {
            return counted(ring.post(wrId, list));
        } finally {
            lock.unlock();
        }
    }

    private int counted(int status) {
        if (status == PostStatus.ACCEPTED) {
            shares.posted();
        }
        return status;
    }

    /** Returns where the stream of {@code queuePair} takes its receives, up to its share. */
    ReceiveSource sourceFor(int queuePair) {
        ReceiveShares.Share share = new ReceiveShares.Share(queuePair);
        return slot -> take(slot, share);
    }

    private boolean take(ReceiveSlot slot, ReceiveShares.Share share) {
        lock.lock();
        boolean taken = shares.allows(share) && ring.take(slot);
        if (taken) {
            shares.used(share);
        }
        int left = ring.available();
        boolean low = limit > 0 && left < limit;
        if (low) {
            limit = 0;
        }
        String greatest = low ? shares.greatest() : "";
        lock.unlock();
        if (low) {
            verbs.events()
                    .raise(
                            AsyncEvent.Type.SRQ_LIMIT_REACHED,
                            this,
                            resourceName() + " has " + left + " receives left; " + greatest,
                            null);
        }
        return taken;
    }

    @Override
    public int available() {
        lock.lock();
        int left = ring.available();
        lock.unlock();
        return left;
    }

    @Override
    public void armLimit(int newLimit) {
        requireOpen();
        Device.checked("limit", newLimit, 0, config.maxWr());
        lock.lock();
        limit = newLimit;
        lock.unlock();
    }

    @Override
    public int limit() {
        lock.lock();
        int armed = limit;
        lock.unlock();
        return armed;
    }

    @Override
    protected void release() {
        verbs.events().forget(this);
        verbs.sharedReceiveQueues().giveBack();
    }
}
