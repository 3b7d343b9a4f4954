package org.panamaverbs.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;

/**
 * Polls the completion queues of all sides of a test together, since a side may make progress only while it is polled.
 * Used by one thread.
 */
public final class Poller {
    private static final int PATIENT_ROUNDS = 256;

    private final List<Inbox> inboxes = new ArrayList<>();

    /** Creates a poller that polls nothing yet. */
    public Poller() {}

    /** Polls {@code queue} from now on. */
    public Inbox watch(CompletionQueue queue) {
        Inbox inbox = new Inbox(this, queue);
        inboxes.add(inbox);
        return inbox;
    }

    /** Polls the queue of {@code inbox} no more. */
    public void ignore(Inbox inbox) {
        inboxes.remove(inbox);
    }

    /** Polls each queue once. */
    public void poll() {
        for (Inbox inbox : inboxes) {
            inbox.drain();
        }
    }

    /** Polls each queue some times, enough for what is under way on this machine to show in most runs. */
    public void pollAWhile() {
        for (int round = 0; round < 200; round++) {
            poll();
            pause(round);
        }
    }

    /** Polls until {@code condition} holds. */
    public void await(String what, BooleanSupplier condition) {
        await(what, Waits.deadline(), condition);
    }

    private void await(String what, Deadline deadline, BooleanSupplier condition) {
        for (int round = 0; !condition.getAsBoolean(); round++) {
            poll();
            if (deadline.passed()) {
                throw new AssertionError("not in time: " + what + inboxes);
            }
            pause(round);
        }
    }

    /** Polls while {@code work} runs on another thread, and returns its result or throws what it threw. */
    public <T> T whilePolling(String what, Callable<T> work) {
        return whilePolling(what, Waits.deadline(), work);
    }

    /** As {@link #whilePolling(String, Callable)}, for what may take until {@code deadline}. */
    public <T> T whilePolling(String what, Deadline deadline, Callable<T> work) {
        Background<T> background = Background.start(what, work);
        await(what, deadline, background::isDone);
        return background.await(Waits.deadline());
    }

    // The peer's threads share the processors with this one: without yielding, two cores starve them.
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(int round) {
        if ((round & 0xF) == 0xF || round > PATIENT_ROUNDS) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
