package org.panamaverbs.ibverbs.queuepair;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.completion.Markers;
import org.panamaverbs.ibverbs.completion.WorkCounts;
import org.panamaverbs.ibverbs.context.Failable;
import org.panamaverbs.ibverbs.context.NativeObjects;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.post.IbvSharedReceiveQueue;
import org.panamaverbs.ibverbs.post.NativeQueuePair;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Attachments;

/**
 * Who knows of a queue pair: its device, for events and failures, and its completion queues, for what it can have
 * outstanding there beside their {@link Markers}.
 */
final class Attachment {
    private final NativeQueuePair queuePair;
    private final Failable failable;
    private final IbvCompletionQueue sends;
    private final IbvCompletionQueue receives;
    // Whose the sends and the receives are; made before, since an end must need no memory once it has begun to count.
    private final Long user;
    private final Long receiver;
    private Attachments.@Nullable Entry sent;
    private Attachments.@Nullable Entry received;
    // Whether the shared receive queue counts it, which several queue pairs may have it do.
    private boolean shares;
    private final WorkCounts counts;
    // Has the counts start anew.
    private final Runnable anew;

    /**
     * Describes {@code queuePair}, whose sends and receives complete there and are counted in {@code counts}, which
     * {@code anew} is to start anew; nobody knows of it yet.
     */
    Attachment(
            NativeQueuePair queuePair,
            Failable failable,
            IbvCompletionQueue sends,
            IbvCompletionQueue receives,
            WorkCounts counts,
            Runnable anew) {
        this.counts = counts;
        this.anew = anew;
        this.queuePair = queuePair;
        this.failable = failable;
        this.sends = sends;
        this.receives = receives;
        user = queuePair.handle().address();
        // Itself, by an address within the native queue pair.
        receiver = queuePair.handle().address() + 1;
    }

    /** Returns what a queue pair is made from, each once. */
    static ManagedResource[] parents(
            Domain domain,
            IbvCompletionQueue send,
            IbvCompletionQueue receive,
            @Nullable IbvSharedReceiveQueue shared) {
        List<ManagedResource> parents = new ArrayList<>(List.of(domain, send));
        if (receive != send) {
            parents.add(receive);
        }
        if (shared != null) {
            parents.add(shared);
        }
        return parents.toArray(ManagedResource[]::new);
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
        sends.keepAll();
        if (receives != sends) {
            receives.keepAll();
        }
        if (queuePair.config().type() == QueuePairType.RC) { // others have none
            sends.markers().forget(user);
        }
        anew.run();
    }

    /**
     * Says who its markers and sends are of: its address, as long as the native queue pair exists. What the completion
     * queues know must not keep it reachable, or nobody would notice that it was lost.
     */
    Long user() {
        return user;
    }

    /** Makes the queue pair known. */
    void begin() {
        startAnew();
        QueuePairConfig config = queuePair.config();
        sent = sends.attach(queuePair.number(), config.attachment());
        if (receives != sends) {
            received = receives.attach(queuePair.number(), config.attachment());
        }
        NativeObjects objects = queuePair.context().objects();
        objects.register(queuePair.handle(), queuePair.owner());
        objects.addNumber(queuePair.number(), failable);
        if (queuePair.sendsDatagrams()) {
            receives.datagrams().add(queuePair.number());
        }
        sends.counts().attach(queuePair.number(), counts, true);
        if (receives != sends) {
            receives.counts().attach(queuePair.number(), counts, false);
        }
        sends.markers().attach(user, config.maxSendWr());
        if (config.srq() instanceof IbvSharedReceiveQueue shared) {
            shared.attach(receives.markers());
            shares = true;
        } else {
            receives.markers().attach(receiver, config.maxRecvWr());
        }
    }

    /** Has the queue pair and its markers forgotten; called again if it failed. What counts comes last. */
    void end() {
        NativeObjects objects = queuePair.context().objects();
        objects.forget(queuePair.handle());
        objects.removeNumber(queuePair.number(), failable);
        sends.markers().forget(user);
        sends.markers().detach(user);
        receives.markers().detach(receiver);
        if (shares && queuePair.config().srq() instanceof IbvSharedReceiveQueue shared) {
            shares = false;
            shared.detach(receives.markers());
        }
    }

    /**
     * Has the queue pair's number forgotten, after the native queue pair: completions that are left keep what it was
     * given, and datagrams their source. Where there is no memory to keep them, the rest is done all the same.
     */
    void forgetNumber() {
        sends.counts().detach(queuePair.number(), counts);
        receives.counts().detach(queuePair.number(), counts);
        try {
            detach(sends, sent);
        } finally {
            try {
                detach(receives, received);
            } finally {
                forgetDatagrams();
            }
        }
    }

    private void forgetDatagrams() {
        if (queuePair.sendsDatagrams()) {
            try {
                receives.keepAll();
            } finally {
                receives.datagrams().remove(queuePair.number());
            }
        }
    }

    private static void detach(IbvCompletionQueue queue, Attachments.@Nullable Entry entry) {
        if (entry != null) {
            queue.detach(entry);
        }
    }
}
