package org.panamaverbs.iwarp.engine;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.memory.ManagedResource;

/** Where armed completion queues raise events. A queue that has raised one that nobody took yet raises no second. */
final class IwarpCompletionChannel extends ManagedResource implements CompletionChannel {
    private final ArrayDeque<IwarpCompletionQueue> raised = new ArrayDeque<>();
    private final WaitPoint waiters = new WaitPoint();
    private final IwarpVerbs verbs;
    private final @Nullable Runnable drive;

    /** Makes one; {@code drive} is what waits call over and over, null where the event loop makes progress. */
    IwarpCompletionChannel(IwarpVerbs verbs, int number, @Nullable Runnable drive) {
        super("completion channel " + number, verbs);
        this.verbs = verbs;
        this.drive = drive;
    }

    /** Tells whether it was made by {@code context}. */
    boolean isOf(IwarpVerbs context) {
        return verbs == context;
    }

    /** Adds the event of {@code queue}. */
    void raise(IwarpCompletionQueue queue) {
        synchronized (raised) {
            if (!raised.contains(queue)) {
                raised.add(queue);
            }
        }
        waiters.changed();
    }

    /** Drops the event of {@code queue}, which is being closed. */
    void forget(IwarpCompletionQueue queue) {
        synchronized (raised) {
            raised.remove(queue);
        }
    }

    @Override
    public Optional<CompletionQueue> await(Deadline deadline) {
        while (true) {
            requireOpen();
            IwarpCompletionQueue queue = poll();
            if (queue != null) {
                return Optional.of(queue);
            }
            boolean came = drive == null
                    ? waiters.awaitAsLoop(() -> !isEmpty() || !isOpen(), deadline, verbs.loop())
                    : waiters.await(() -> !isEmpty() || !isOpen(), deadline, drive);
            if (!came) {
                return Optional.empty();
            }
        }
    }

    private boolean isEmpty() {
        synchronized (raised) {
            return raised.isEmpty();
        }
    }

    private @Nullable IwarpCompletionQueue poll() {
        synchronized (raised) {
            return raised.poll();
        }
    }

    @Override
    public OptionalInt fileDescriptor() {
        return OptionalInt.empty();
    }

    @Override
    protected void release() {
        waiters.changed();
    }
}
