package org.panamaverbs.bench.iwarp;

import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.engine.IwarpQueuePair;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;

/** Two queue pairs over a pipe in memory, and one whose bytes are lost; all on the thread that calls. */
final class MemoryPair {
    /** Work requests of each queue. */
    static final int DEPTH = 256;

    private static final int BYTES = 1 << 16;
    // More than any completion needs: the event loop may have a stream for as long as its thread is put aside.
    private static final int POLLS = 1 << 24;
    // A segment on the loopback device.
    static final int EMSS = 65_483;

    private final Resources resources = new Resources();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);
    private final Verbs verbs;
    private final ProtectionDomain domain;
    final RegisteredBuffer source;
    final RegisteredBuffer sink;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final CompletionQueue lonelySent;
    final IwarpQueuePair sender;
    final IwarpQueuePair receiver;
    /** The one whose bytes are lost. */
    final IwarpQueuePair lonely;

    /** Opens all of it; {@code crc} says whether FPDUs carry one. */
    MemoryPair(boolean crc) {
        verbs = resources.add(Verbs.open(OpenConfig.provider("iwarp").with("progress", "spin")));
        domain = resources.add(verbs.protectionDomain());
        source = resources.add(domain.allocate(BYTES));
        sink = resources.add(domain.allocate(BYTES, Access.LOCAL_WRITE));
        sent = resources.add(verbs.completionQueue(DEPTH));
        received = resources.add(verbs.completionQueue(DEPTH));
        lonelySent = resources.add(verbs.completionQueue(DEPTH));
        OctetPipe.Ends pipe = OctetPipe.pair();
        sender = queuePair(sent, pipe.out(), true, crc);
        receiver = queuePair(received, pipe.in(), false, crc);
        lonely = queuePair(lonelySent, OctetPipe.drain(), true, crc);
    }

    private IwarpQueuePair queuePair(CompletionQueue queue, OctetPipe pipe, boolean initiator, boolean crc) {
        QueuePairConfig config =
                QueuePairConfig.of(domain, queue).withDepth(DEPTH, DEPTH).withAllRemoteAccess();
        IwarpQueuePair made = resources.add((IwarpQueuePair) domain.queuePair(config));
        Negotiated negotiated =
                Negotiated.builder(initiator).crc(crc).depths(16).emss(EMSS).build();
        if (!made.driver().establish(pipe, OctetPipe.NO_WATCH, negotiated, null, System.nanoTime())) {
            throw new IllegalStateException(made + " is not idle");
        }
        return made;
    }

    int awaitReceived(int count) {
        return await(received, count);
    }

    int awaitSent() {
        return await(sent, 1);
    }

    int awaitLonelySent() {
        return await(lonelySent, 1);
    }

    private int await(CompletionQueue queue, int count) {
        int found = 0;
        for (int polls = 0; found < count; polls++) {
            int some = queue.poll(completions);
            for (int i = 0; i < some; i++) {
                if (!completions.get(i).ok()) {
                    throw new IllegalStateException(completions.get(i).toString());
                }
            }
            found += some;
            if (polls == POLLS) {
                throw new IllegalStateException("only " + found + " of " + count + " completions came");
            }
        }
        return found;
    }

    /** Fails if {@code status} is a refusal. */
    static void require(int status) {
        if (status < PostStatus.ACCEPTED) {
            throw new IllegalStateException(PostStatus.text(status));
        }
    }

    void close() {
        resources.close((resource, e) -> new IllegalStateException(resource + " did not close", e));
    }
}
