package org.panamaverbs.local.objects;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.work.LocalSendQueue;
import org.panamaverbs.local.work.SendRequest;

/** The requests that are collected for one submit. Their places are made when they are first needed. */
public final class LocalBatch extends LocalSendQueue implements Batch {
    private final LocalQueuePair queuePair;
    private final List<SendRequest> places = new ArrayList<>();
    private int pending;

    LocalBatch(LocalQueuePair queuePair) {
        this.queuePair = queuePair;
    }

    @Override
    protected SendRequest place() {
        queuePair.requireOpen();
        if (pending == places.size()) {
            places.add(queuePair.newPlace());
        }
        return places.get(pending);
    }

    @Override
    protected int take(SendRequest request) {
        int status = queuePair.admit(request, pending);
        if (status == PostStatus.ACCEPTED) {
            if (request.has(SendFlag.INLINE)
                    && request.local.resolve(queuePair.device().regions(), queuePair.domain(), null)) {
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
                queuePair.carryOut(places.get(i));
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
