package org.panamaverbs.ibverbs.objects;

import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SharedReceiveQueue;

/**
 * Who knows of a queue pair: its device, for events and failures, and its completion queues, for what it can have
 * outstanding there beside their {@link Markers}.
 */
final class Attachment {
    private final IbvQueuePair queuePair;
    private final IbvCompletionQueue sends;
    private final IbvCompletionQueue receives;
    // Whose the sends and the receives are; made before, since an end must need no memory once it has begun to count.
    private final Long user;
    private final Long receiver;

    /** Describes {@code queuePair}, whose sends and receives complete there; nobody knows of it yet. */
    Attachment(IbvQueuePair queuePair, IbvCompletionQueue sends, IbvCompletionQueue receives) {
        this.queuePair = queuePair;
        this.sends = sends;
        this.receives = receives;
        user = queuePair.handle().address();
        // The shared receive queue; or itself, by an address within the native queue pair.
        receiver = queuePair.config().shared() instanceof IbvSharedReceiveQueue shared
                ? shared.handle().address()
                : queuePair.handle().address() + 1;
    }

    /** Returns where its sends complete. */
    IbvCompletionQueue sends() {
        return sends;
    }

    /** Returns where its receives complete. */
    IbvCompletionQueue receives() {
        return receives;
    }

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
            sends.markers().forget(user);
        }
    }

    /**
     * Says who its markers and sends are of: its address, as long as the native queue pair exists. What the completion
     * queues know must not keep it reachable, or nobody would notice that it was lost.
     */
    Long user() {
        return user;
    }

    /** Makes it known. */
    void begin() {
        startAnew();
        queuePair.context().register(queuePair.handle(), queuePair);
        queuePair.context().addNumber(queuePair);
        if (queuePair.config().type() == QueuePairType.UD) {
            receives.datagrams().add(queuePair.number());
        }
        QueuePairConfig config = queuePair.config();
        SharedReceiveQueue shared = config.shared();
        sends.markers().attach(user, config.maxSendWr() + 1);
        receives.markers()
                .attach(
                        receiver,
                        shared == null ? config.maxRecvWr() : shared.config().maxWr());
    }

    /** Has it and its markers forgotten; called again if it failed. What counts comes last. */
    void end() {
        queuePair.context().forget(queuePair.handle());
        queuePair.context().removeNumber(queuePair);
        QueuePairConfig config = queuePair.config();
        SharedReceiveQueue shared = config.shared();
        sends.markers().forget(user);
        sends.markers().detach(user, config.maxSendWr() + 1);
        receives.markers()
                .detach(
                        receiver,
                        shared == null ? config.maxRecvWr() : shared.config().maxWr());
    }

    /** Has its number forgotten, after the native queue pair: datagrams that are left keep their source. */
    void forgetNumber() {
        if (queuePair.config().type() == QueuePairType.UD) {
            receives.keepAll();
            receives.datagrams().remove(queuePair.number());
        }
    }
}
