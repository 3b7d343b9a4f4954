package org.panamaverbs.iwarp.engine.objects;

import java.util.Objects;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.ResourceException;
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
import org.panamaverbs.memory.stack.StackRoom;

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
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        }
    }

    private ReceiveShares shares(SharedReceiveQueueConfig sizes) {
        return new ReceiveShares(sizes.maxWr(), context.options().shares().receivesPercent());
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
    public void resize(int newMaxWr) {
        requireOpen();
        StackRoom.require();
        Device.LIMITS.resized(newMaxWr);
        SharedReceiveQueueConfig resized = new SharedReceiveQueueConfig(newMaxWr, config.maxSge());
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
            lock.held = false;
        }
        if (held > newMaxWr || armed > newMaxWr) {
            String why = held > newMaxWr
                    ? " holds " + held + " receives, more than " + newMaxWr + ": let messages take some first"
                    : " has limit " + armed + " armed, more than " + newMaxWr + ": arm a smaller one first";
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
