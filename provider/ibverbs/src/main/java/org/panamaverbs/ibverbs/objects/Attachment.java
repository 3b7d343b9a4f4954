package org.panamaverbs.ibverbs.objects;

import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
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
    /**
     * Makes an end to what was before, when it is new or was reset: markers it has lost are not awaited any more, and
     * completions that are in its queues now are taken off and kept for the application. They may be of another queue
     * pair that had its number (siw gives a number out again at once) or of its own former life, and some drivers leave
     * them where they are. A completion with an error counts when it is taken off, so that from here on each that has
     * the number says something of this queue pair.
     *
     * <p>To ask the driver for the state instead is no way: siw does not tell it, and rxe completes the first request
     * that fails before it enters ERROR.
     */
    void startAnew() {
        if (queuePair.config().type() == QueuePairType.RC) { // of others an error says nothing
            sends.keepAll();
            if (receives != sends) {
                receives.keepAll();
            }
            sends.markers().forget(queuePair);
        }
    }

    /** Makes it known. */
    void begin() {
        startAnew();
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
