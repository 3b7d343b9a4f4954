package org.panamaverbs.iwarp.engine;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.iwarp.core.LoneRequests;
import org.panamaverbs.iwarp.core.SendCommands;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.engine.device.SpinLock;
import org.panamaverbs.memory.ManagedResource;

/**
 * What a {@link SendPoster} posts to: a stream under its lock, and what becomes of each request there. It is
 * transmitted at once, on the thread that posts; {@link IwarpBatch} has it wait.
 */
class PostTarget {
    final ManagedResource queuePair;
    final ManagedResource domain;
    final StreamDriver driver;
    /** What everything of the stream happens under; {@link #enter} takes it, who entered gives it back. */
    final SpinLock lock;
    /** Where requests are put in line; locked. */
    final SendCommands sends;
    // Null where each request is put in line.
    private final @Nullable LoneRequests lone;

    /**
     * Creates a target that posts to {@code stream} of {@code queuePair}, which is of {@code domain}; {@code atOnce}
     * says whether a request may be carried out before it is in line.
     */
    PostTarget(ManagedResource queuePair, ManagedResource domain, StreamDriver driver, Stream stream, boolean atOnce) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.driver = driver;
        lock = driver.lock;
        sends = stream.sends();
        lone = atOnce ? stream.alone() : null;
    }

    /** Takes the lock of a queue pair that is open. */
    final SendCommands enter() {
        queuePair.requireOpen();
        lock.lock();
        return sends;
    }

    /**
     * Called before each post, locked. What it sets {@link SendCommands#holds} to lasts until the lock is given back.
     */
    void begin() {
        if (sends.held() != 0) {
            throw openBatch();
        }
    }

    private IllegalStateException openBatch() {
        return new IllegalStateException(
                queuePair.resourceName() + " has an open batch; remedy: submit or discard it before another post");
    }

    /**
     * Returns what may carry a request out without putting it in line, null where it is put there; locked. What that
     * throws is for {@link StreamDriver#breaks}: the doorbell of the same request, which is posted, ends the stream.
     */
    final @Nullable LoneRequests alone() {
        return driver.isBroken() ? null : lone;
    }

    /** Called after a request that was carried out {@linkplain #alone alone}, locked: returns its status. */
    final int executedInline(LoneRequests alone) {
        if (alone.needsPass()) {
            driver.lookAfter();
        }
        return PostStatus.ACCEPTED;
    }

    /** Called after each post, locked: returns its {@code status}, after what follows one that was accepted. */
    int answer(int status) {
        if (status >= PostStatus.ACCEPTED) {
            driver.flush();
        }
        return status;
    }
}
