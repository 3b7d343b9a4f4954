package org.panamaverbs.local.objects;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.RegionTable;
import org.panamaverbs.local.work.LocalSendQueue;
import org.panamaverbs.local.work.SendRequest;
import org.panamaverbs.memory.ManagedResource;

/** The requests that are collected for one submit. Their places are made when they are first needed. */
public final class LocalBatch extends LocalSendQueue implements Batch {
    private final ManagedResource queuePair;
    private final QueuePairConfig config;
    private final RegionTable regions;
    private final Requester requester;
    private final List<SendRequest> places = new ArrayList<>();
    private int pending;

    LocalBatch(ManagedResource queuePair, QueuePairConfig config, RegionTable regions, Requester requester) {
        this.queuePair = queuePair;
        this.config = config;
        this.regions = regions;
        this.requester = requester;
    }

    /** What a queue pair is for its own requests. Called with the lock of {@link Fabric} held. */
    interface Requester {
        /** Returns whether {@code request} can be posted behind {@code collected} others that are not posted yet. */
        int admit(SendRequest request, int collected);

        /** Carries out {@code request}, which was admitted. */
        void carryOut(SendRequest request);
    }

    @Override
    protected SendRequest place() {
        queuePair.requireOpen();
        if (pending == places.size()) {
            places.add(new SendRequest(config));
        }
        return places.get(pending);
    }

    @Override
    protected int take(SendRequest request) {
        int status = requester.admit(request, pending);
        if (status == PostStatus.ACCEPTED) {
            if (request.has(SendFlag.INLINE) && request.local.resolve(regions, config.domain(), null)) {
                request.local.takeInline();
            }
            pending++;
        }
        return status;
    }

    @Override
    public int submit() {
        synchronized (Fabric.LOCK) {
            queuePair.requireOpen();
            int taken = pending;
            for (int i = 0; i < taken; i++) {
                requester.carryOut(places.get(i));
            }
            pending = 0;
            return taken;
        }
    }

    @Override
    public int pending() {
        return pending;
    }

    @Override
    public void discard() {
        pending = 0;
    }
}
