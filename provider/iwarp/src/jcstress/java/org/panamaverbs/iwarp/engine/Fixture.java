package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.function.BooleanSupplier;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.iwarp.core.CompletionSink;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;

/** One context for all tests of a process, and what they make of it. */
final class Fixture {
    static final IwarpVerbs VERBS = IwarpVerbs.open(OpenConfig.provider(IwarpVerbs.PROVIDER), "jcstress");
    static final IwarpProtectionDomain DOMAIN = (IwarpProtectionDomain) VERBS.protectionDomain();
    /** What a call answers that throws since the object is closed. */
    static final int THROWN = -100;

    private static final int DEPTH = 16;
    private static final int EMSS = 1460;
    private static final int DECIMAL = 10;
    private static final long PATIENCE_SECONDS = 10;

    // Whether something was lost in this process: then the test has failed, and need not take long to end.
    private static volatile boolean lost;

    private Fixture() {}

    static IwarpCompletionQueue queue(int capacity) {
        return (IwarpCompletionQueue) VERBS.completionQueue(CompletionQueueConfig.of(capacity));
    }

    /** Makes a queue pair for {@code depth} sends whose stream is up, without a socket: nothing of it is ever sent. */
    static IwarpQueuePair established(IwarpCompletionQueue queue, int depth) {
        IwarpQueuePair made = DOMAIN.create(QueuePairConfig.of(DOMAIN, queue)
                .withDepth(depth, depth)
                .withSge(1, 1)
                .withInline(0));
        StreamDriver driver = made.driver();
        driver.lock.lock();
        try {
            driver.stream()
                    .start(Negotiated.builder(false).depths(DEPTH).emss(EMSS).build(), 0);
        } finally {
            driver.lock.unlock();
        }
        driver.progress();
        return made;
    }

    /** Posts send {@code id} with nothing in it; answers as post does, or {@link #THROWN}. */
    static int send(IwarpQueuePair queuePair, int id) {
        try {
            return queuePair.post(WorkRequest.of(SendOpcode.SEND).wrId(id).flags(SendFlag.SIGNALED));
        } catch (IllegalStateException e) {
            return THROWN;
        }
    }

    /** Completes {@code id} with fields that all follow from it. */
    static boolean complete(IwarpCompletionQueue queue, int id) {
        return queue.complete(id, status(id), opcode(id), -id, id * 0x1_0000_0001L, 0, 0, vendorError(id))
                != CompletionSink.LOST;
    }

    private static WcStatus status(int id) {
        return id % 2 == 0 ? WcStatus.SUCCESS : WcStatus.WR_FLUSH_ERROR;
    }

    private static int vendorError(int id) {
        return status(id) == WcStatus.SUCCESS ? 0 : ~id;
    }

    private static WcOpcode opcode(int id) {
        return id % 2 == 0 ? WcOpcode.RECV : WcOpcode.RDMA_READ;
    }

    /** Polls once for up to {@code most}; returns the ids as the digits of one number, -1 if a field does not fit. */
    static int poll(IwarpCompletionQueue queue, int most) {
        WorkCompletions found = WorkCompletions.ofCapacity(most);
        int count = queue.poll(found);
        int digits = 0;
        for (int i = 0; i < count; i++) {
            WorkCompletion one = found.get(i);
            int id = (int) one.wrId();
            if (one.status() != status(id)
                    || one.opcode() != opcode(id)
                    || one.qpNumber() != -id
                    || one.byteCount() != id * 0x1_0000_0001L
                    || one.vendorError() != vendorError(id)) {
                return -1;
            }
            digits = digits * DECIMAL + id;
        }
        return digits;
    }

    /** Polls once for what was flushed; returns the ids as the digits of one number, -1 for another status. */
    static int pollFlushed(IwarpCompletionQueue queue) {
        WorkCompletions found = WorkCompletions.ofCapacity(DEPTH);
        int count = queue.poll(found);
        int digits = 0;
        for (int i = 0; i < count; i++) {
            if (found.get(i).status() != WcStatus.WR_FLUSH_ERROR) {
                return -1;
            }
            digits = digits * DECIMAL + (int) found.get(i).wrId();
        }
        return digits;
    }

    /** Returns a time that is far away on any machine. */
    static Deadline patience() {
        return Deadline.in(lost ? 1 : PATIENCE_SECONDS, SECONDS);
    }

    /** Answers {@code came}, what somebody has waited for with {@link #patience}. */
    static boolean awaited(boolean came) {
        if (!came) {
            lost = true;
        }
        return came;
    }

    /** Waits until {@code done}; false if it is lost. */
    static boolean await(BooleanSupplier done) {
        Deadline deadline = patience();
        while (!done.getAsBoolean()) {
            if (deadline.passed()) {
                return awaited(false);
            }
            Thread.yield();
        }
        return true;
    }
}
