package org.panamaverbs.iwarp.engine;

import java.util.Objects;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.iwarp.core.ReceiveRing;
import org.panamaverbs.iwarp.core.ReceiveSlot;
import org.panamaverbs.iwarp.core.ReceiveSource;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.engine.device.IwarpOption;
import org.panamaverbs.iwarp.engine.device.SpinLock;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.DeferredLog;

/** Receives that the streams of several queue pairs take from. */
final class IwarpSharedReceiveQueue extends ManagedResource implements SharedReceiveQueue {
    /** A limit, told of once. */
    private static final class Limit {
        final int receives;
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
    private volatile SharedReceiveQueueConfig config; // written under the lock
    private final SpinLock lock;
    // Guarded by the lock.
    private ReceiveRing ring;
    private ReceiveShares shares;
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
            shares = shares(config);
        } catch (Throwable e) {
            abandon();
            throw e;
        }
    }

    private ReceiveShares shares(SharedReceiveQueueConfig sizes) {
        return new ReceiveShares(sizes.maxWr(), context.options().get(IwarpOption.SRQ_SHARE));
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
            lock.unlock();
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        requireOpen();
        lock.lock();
        try {
            return ring.post(wrId, list);
        } finally {
            lock.unlock();
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
            lock.unlock();
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
                // Last: by this the shares count it.
                ring.take(slot);
            }
        } finally {
            lock.unlock();
        }
        if (low) {
            try {
                tellLow();
            } catch (Throwable e) {
                // A receive that was taken must reach its stream. The next one tells.
                DeferredLog.log(
                        IwarpSharedReceiveQueue.class,
                        System.Logger.Level.ERROR,
                        "a shared receive queue's limit event was lost",
                        e);
            }
        }
        return taken;
    }

    private void tellLow() {
        String text;
        Limit reached;
        lock.lock();
        try {
            reached = limit;
            int left = ring.available();
            if (!reached.isBelow(left)) {
                return;
            }
            shares.update(ring.taken(), left);
            text = resourceName() + " has " + left + " receives left; " + shares.greatest();
            reached.told = true;
        } finally {
            lock.unlock();
        }
        boolean raised = false;
        try {
            context.events().raise(AsyncEvent.Type.SRQ_LIMIT_REACHED, this, text, null);
            raised = true;
        } finally {
            reached.told = raised;
        }
    }

    @Override
    public int available() {
        requireOpen();
        lock.lock();
        try {
            return ring.available();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resize(int newMaxWr) {
        requireOpen();
        Device.LIMITS.resized(newMaxWr);
        SharedReceiveQueueConfig resized = config.withDepth(newMaxWr);
        ReceiveRing itsRing = new ReceiveRing(newMaxWr, resized.maxSge());
        ReceiveShares itsShares = shares(resized);
        int held;
        int armed;
        lock.lock();
        try {
            held = ring.available();
            armed = limit.told ? 0 : limit.receives;
            if (held <= newMaxWr && armed <= newMaxWr) {
                shares.update(ring.taken(), held);
                shares.moveTo(itsShares);
                ring.moveTo(itsRing);
                shares = itsShares;
                ring = itsRing;
                config = resized;
            }
        } finally {
            lock.unlock();
        }
        if (held > newMaxWr || armed > newMaxWr) {
            String why = held > newMaxWr
                    ? " holds " + held + " receives, more than " + newMaxWr + "; remedy: let messages consume some"
                            + " first"
                    : " has limit " + armed + " armed, more than " + newMaxWr + "; remedy: arm a smaller limit first";
            throw new ResourceException("resize", resourceName() + why, 0);
        }
    }

    @Override
    public void armLimit(int newLimit) {
        requireOpen();
        Limit armed = new Limit(newLimit);
        lock.lock();
        try {
            Device.LIMITS.checked("limit", newLimit, 0, config.maxWr());
            limit = armed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int limit() {
        requireOpen();
        lock.lock();
        try {
            return limit.told ? 0 : limit.receives;
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void release() {
        context.sharedReceiveQueues().giveBack();
        context.events().forget(this);
    }
}
