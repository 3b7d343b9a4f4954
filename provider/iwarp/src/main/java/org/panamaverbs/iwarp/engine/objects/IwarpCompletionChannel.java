package org.panamaverbs.iwarp.engine.objects;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.support.Waits;
import org.panamaverbs.iwarp.engine.context.Context;
import org.panamaverbs.iwarp.engine.context.WaitPoint;
import org.panamaverbs.iwarp.engine.progress.Progress;
import org.panamaverbs.iwarp.engine.progress.Streams;
import org.panamaverbs.memory.ManagedResource;

/** Where armed completion queues raise events. A queue that has raised one that nobody took yet raises no second. */
public final class IwarpCompletionChannel extends ManagedResource implements CompletionChannel {
    private static final VarHandle MISSED;

    static {
        try {
            MISSED = MethodHandles.lookup().findVarHandle(IwarpCompletionChannel.class, "missed", EventSource.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * A queue that could not raise its event, which whoever waits finds when it looks by itself; of several the last.
     * Written by that queue, which needs neither memory nor stack for it.
     */
    volatile @Nullable EventSource missed;

    private final ArrayDeque<EventSource> raised;
    private final WaitPoint waiters;
    private final Context context;
    private final Progress progress;

    public IwarpCompletionChannel(Streams streams, int number) {
        super("completion channel " + number, streams.context().owner());
        context = streams.context();
        progress = streams.progress();
        try {
            raised = new ArrayDeque<>();
            waiters = new WaitPoint();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** Returns the device that it is of. */
    public ManagedResource device() {
        return context.owner();
    }

    /** Adds the event of {@code queue}. */
    void raise(EventSource queue) {
        synchronized (raised) {
            if (!raised.contains(queue)) {
                raised.add(queue);
            }
        }
        waiters.changed();
    }

    /** Drops the event of {@code queue}, which is being closed. */
    void forget(EventSource queue) {
        synchronized (raised) {
            raised.remove(queue);
        }
        MISSED.compareAndSet(this, queue, null);
    }

    @Override
    public Optional<CompletionQueue> await(Deadline deadline) {
        while (true) {
            requireOpen();
            if (Thread.currentThread().isInterrupted()) {
                throw Waits.interrupted("await", resourceName());
            }
            EventSource queue = poll();
            if (queue != null) {
                return taken(queue);
            }
            if (!awaitEvent(deadline)) {
                return Optional.empty();
            }
        }
    }

    private boolean awaitEvent(Deadline deadline) {
        try {
            return progress.awaitCompletion(waiters, () -> !isEmpty() || !isOpen(), deadline);
        } catch (InterruptedException e) {
            throw Waits.interrupted("await", resourceName());
        }
    }

    private Optional<CompletionQueue> taken(EventSource queue) {
        try {
            queue.handedOut();
            return Optional.of(queue);
        } catch (OutOfMemoryError | StackOverflowError e) {
            // An event is raised once: the next wait has it.
            synchronized (raised) {
                raised.addFirst(queue);
            }
            throw e;
        }
    }

    private boolean isEmpty() {
        EventSource late = missed;
        if (late != null && late.hasUnraised()) {
            return false;
        }
        synchronized (raised) {
            return raised.isEmpty();
        }
    }

    private @Nullable EventSource poll() {
        EventSource queue;
        synchronized (raised) {
            queue = raised.poll();
        }
        return queue == null ? pollMissed() : queue;
    }

    private @Nullable EventSource pollMissed() {
        EventSource late = missed;
        // It may have raised it meanwhile.
        return late != null && MISSED.compareAndSet(this, late, null) && late.hasUnraised() ? late : null;
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
