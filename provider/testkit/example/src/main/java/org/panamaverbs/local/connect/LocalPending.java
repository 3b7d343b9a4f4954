package org.panamaverbs.local.connect;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.objects.LocalQueuePair;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.PendingAttempt;

/** An attempt to connect or accept that no thread waits for. */
final class LocalPending extends PendingAttempt {
    private final String operation;
    private final LocalQueuePair queuePair;
    private final long since = System.nanoTime();
    private final boolean ownsQueuePair;
    private final Consumer<Boolean> ending;
    private @Nullable Supplier<Connection> result;

    /** Creates an attempt; {@code ending} is told to end it, and whether it is late. */
    LocalPending(String operation, LocalQueuePair queuePair, boolean ownsQueuePair, Consumer<Boolean> ending) {
        super(operation, queuePair, queuePair.device());
        this.operation = operation;
        this.queuePair = queuePair;
        this.ownsQueuePair = ownsQueuePair;
        this.ending = ending;
    }

    /** Gives the attempt up before it has begun. */
    void withdraw() {
        abandon();
    }

    /** Begins to watch its deadline. */
    LocalPending until(Deadline deadline) {
        endAt(deadline);
        return this;
    }

    /** Says what came of it, which {@code newResult} returns or throws; only the first counts. */
    void endedWith(Supplier<Connection> newResult) {
        synchronized (Fabric.LOCK) {
            if (result == null) {
                result = newResult;
            }
        }
        ended();
    }

    @Override
    protected void end(boolean late) {
        ending.accept(late);
    }

    @Override
    protected Connection finish() {
        Supplier<Connection> known;
        synchronized (Fabric.LOCK) {
            queuePair.connecting(null);
            known = result;
        }
        if (known == null) {
            throw new AssertionError("it has not ended");
        }
        try {
            return ownsQueuePair
                    ? Creation.of(() -> queuePair, owned -> known.get(), LocalQueuePair::close)
                    : known.get();
        } catch (VerbsException e) {
            queuePair.watch().notConnected(operation, e, since);
            throw e;
        }
    }
}
