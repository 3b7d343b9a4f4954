package org.panamaverbs.iwarp.engine;

import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWait;

/**
 * How event queues wait: as for completions, whose thread takes the event loop's place. All members say by themselves
 * that they have something. There is no descriptor.
 */
public final class EventProgress implements EventWait {
    private static final Deadline PASSED = Deadline.now();

    private final Progress progress;
    private final WaitPoint point = new WaitPoint();
    private final RingSleep rings = new RingSleep();

    /** Creates what waits by {@code progress}. */
    public EventProgress(Progress progress) {
        this.progress = progress;
    }

    @Override
    public void await(BooleanSupplier done, Deadline deadline) throws InterruptedException {
        progress.awaitCompletion(point, done, deadline, rings);
    }

    @Override
    public void look() {
        if (progress.isBackground()) {
            return;
        }
        try {
            progress.awaitEvent(point, () -> true, PASSED);
        } catch (InterruptedException e) {
            // Whoever waits next hears of it.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void wake() {
        point.changed();
    }

    @Override
    public void added(EventMember member) {
        if (member instanceof IwarpCompletionChannel channel) {
            rings.add(channel.queues());
        }
    }

    @Override
    public void removed(EventMember member) {
        if (member instanceof IwarpCompletionChannel channel) {
            rings.remove(channel.queues());
        }
    }

    @Override
    public OptionalInt fileDescriptor() {
        return OptionalInt.empty();
    }

    @Override
    public void close() {
        // Nothing of the system's is held.
    }
}
