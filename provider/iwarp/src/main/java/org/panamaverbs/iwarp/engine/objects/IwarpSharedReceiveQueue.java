package org.panamaverbs.iwarp.engine.objects;

import java.util.Objects;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.iwarp.core.work.ReceiveRing;
import org.panamaverbs.iwarp.core.work.ReceiveSlot;
import org.panamaverbs.iwarp.core.work.ReceiveSource;
import org.panamaverbs.iwarp.engine.context.Context;
import org.panamaverbs.iwarp.engine.context.Device;
import org.panamaverbs.iwarp.engine.context.SpinLock;
import org.panamaverbs.memory.ManagedResource;

/** Receives that the streams of several queue pairs take from. */
public final class IwarpSharedReceiveQueue extends ManagedResource implements SharedReceiveQueue {
    // Initialized with this class: a failed initializer is lost for good, too.
    private static final AsyncEvent.Type LOW = AsyncEvent.Type.SRQ_LIMIT_REACHED;

    /** A limit, told of once. */
    private static final class Limit {
        final int receives;
        // A store that takes it back needs no lock: it is of this limit alone.
        volatile boolean told;

        Limit(int receives) {
            this.receives = receives;
        }

        boolean isBelow(int left) {
            return left < receives && !told;
        }
    }

    private final Context context;
    private final ManagedResource domain;
    private final SharedReceiveQueueConfig config;
    private final SpinLock lock;
    // Guarded by the lock.
    private final ReceiveRing ring;
    private final ReceiveShares shares;
    private Limit limit;

    IwarpSharedReceiveQueue(Context context, ManagedResource domain, int number, SharedReceiveQueueConfig config) {
        super("shared receive queue " + number, domain);
        this.context = context;
        this.domain = domain;
        this.config = config;
        try {
            lock = new SpinLock();
            limit = new Limit(0);
            ring = new ReceiveRing(config.maxWr(), config.maxSge());
            shares =
                    new ReceiveShares(config.maxWr(), context.options().shares().receivesPercent());
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        }
    }

    /** Returns the domain that it is of. */
    ManagedResource domain() {
        return domain;
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
            return ring.post(wrId, address, length, lkey);
        } finally {
            lock.held = false;
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        requireOpen();
        lock.lock();
        try {
            return ring.post(wrId, list);
        } finally {
            lock.held = false;
        }
    }

    @Override
    public int postRecv(ReceiveList list, int first, int count) {
        requireOpen();
        Objects.checkFromIndexSize(first, count, list.count());
        lock.lock();
        try {
            return ring.post(list, first, count);
        } finally {
            lock.held = false;
        }
    }

    /** Returns where the stream of {@code queuePair} takes its receives, up to its share. */
    public ReceiveSource sourceFor(int queuePair) {
        ReceiveShares.Share share = new ReceiveShares.Share(queuePair);
        return slot -> take(slot, share);
    }

    private boolean take(ReceiveSlot slot, ReceiveShares.Share share) {
        boolean taken;
        boolean low;
        lock.lock();
        try {
            int left = ring.available();
            shares.update(ring.taken(), left);
            taken = left > 0 && shares.allows(share);
            low = limit.isBelow(taken ? left - 1 : left);
            if (taken) {
                shares.next(share);
                // Last: whatever fails before has taken nothing out, and by this alone the shares count it.
                ring.take(slot);
            }
        } finally {
            lock.held = false;
        }
        if (low) {
            try {
                tellLow();
            } catch (RuntimeException | Error e) {
                // A receive that was taken must reach its stream. Without memory or stack the next one tells.
            }
        }
        return taken;
    }

    private void tellLow() {
        Limit reached = null;
        boolean told = false;
        try {
            int left;
            String greatest;
            lock.lock();
            try {
                left = ring.available();
                if (!limit.isBelow(left)) {
                    return;
                }
                shares.update(ring.taken(), left);
                greatest = shares.greatest();
                reached = limit;
                reached.told = true;
            } finally {
                lock.held = false;
            }
            // No operator: what that links is lost for good if it is linked first where the stack ends.
            String text = resourceName()
                    .concat(" has ")
                    .concat(Integer.toString(left))
                    .concat(" receives left; ")
                    .concat(greatest);
            context.events().raise(LOW, this, text, null);
            told = true;
        } finally {
            if (reached != null && !told) {
                reached.told = false;
            }
        }
    }

    @Override
    public int available() {
        requireOpen();
        lock.lock();
        try {
            return ring.available();
        } finally {
            lock.held = false;
        }
    }

    @Override
    public void armLimit(int newLimit) {
        requireOpen();
        Device.LIMITS.checked("limit", newLimit, 0, config.maxWr());
        Limit armed = new Limit(newLimit);
        lock.lock();
        try {
            limit = armed;
        } finally {
            lock.held = false;
        }
    }

    @Override
    public int limit() {
        requireOpen();
        lock.lock();
        try {
            return limit.told ? 0 : limit.receives;
        } finally {
            lock.held = false;
        }
    }

    @Override
    protected void release() {
        context.sharedReceiveQueues().giveBack();
        context.events().forget(this);
    }
}
