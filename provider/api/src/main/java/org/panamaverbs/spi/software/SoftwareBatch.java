package org.panamaverbs.spi.software;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;

/** The requests that are collected for one submit. Their places are made when they are first needed. */
final class SoftwareBatch extends SendForms implements Batch {
    private final SoftwareQueuePair queuePair;
    private final List<SendRequest> places = new ArrayList<>();
    private int pending;

    SoftwareBatch(SoftwareQueuePair queuePair) {
        super(queuePair.device());
        this.queuePair = queuePair;
    }

    @Override
    SendRequest place() {
        queuePair.requireOpen();
        if (pending == places.size()) {
            places.add(new SendRequest(queuePair.config()));
        }
        return places.get(pending);
    }

    @Override
    int take(SendRequest request) {
        int status = queuePair.admit(request, pending);
        if (status == PostStatus.ACCEPTED) {
            if (request.has(SendFlag.INLINE) && queuePair.resolve(request.local, null)) {
                request.local.takeInline();
            }
            pending++;
        }
        return status;
    }

    @Override
    public int submit() {
        synchronized (queuePair.device().lock()) {
            queuePair.requireOpen();
            int taken = pending;
            for (int i = 0; i < taken; i++) {
                queuePair.execute(places.get(i));
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
