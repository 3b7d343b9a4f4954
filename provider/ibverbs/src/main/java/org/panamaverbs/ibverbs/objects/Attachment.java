package org.panamaverbs.ibverbs.objects;

import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;

/**
 * Who knows of a queue pair: its device, for events and failures, and its completion queues, for what it can have
 * outstanding there beside their {@link Markers}.
 *
 * @param queuePair the queue pair
 * @param sends where its sends complete
 * @param receives where its receives complete
 */
record Attachment(IbvQueuePair queuePair, IbvCompletionQueue sends, IbvCompletionQueue receives) {
    /** Makes it known. */
    void begin() {
        queuePair.context().register(queuePair.handle(), queuePair);
        queuePair.context().addNumber(queuePair);
        QueuePairConfig config = queuePair.config();
        SharedReceiveQueue shared = config.shared();
        sends.markers().attach(queuePair, config.maxSendWr() + 1);
        if (shared == null) {
            receives.markers().attach(this, config.maxRecvWr());
        } else {
            receives.markers().attach(shared, shared.config().maxWr());
        }
    }

    /** Has it and its markers forgotten. */
    void end() {
        queuePair.context().forget(queuePair.handle());
        queuePair.context().removeNumber(queuePair);
        QueuePairConfig config = queuePair.config();
        SharedReceiveQueue shared = config.shared();
        sends.markers().forget(queuePair);
        sends.markers().detach(queuePair, config.maxSendWr() + 1);
        if (shared == null) {
            receives.markers().detach(this, config.maxRecvWr());
        } else {
            receives.markers().detach(shared, shared.config().maxWr());
        }
    }
}
