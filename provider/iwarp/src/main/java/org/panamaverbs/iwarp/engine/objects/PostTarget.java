package org.panamaverbs.iwarp.engine.objects;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.core.work.SendCommands;
import org.panamaverbs.iwarp.engine.context.SpinLock;
import org.panamaverbs.iwarp.engine.progress.LonePosts;
import org.panamaverbs.iwarp.engine.progress.StreamDriver;
import org.panamaverbs.memory.ManagedResource;

/** What a {@link SendPoster} posts to: a stream under its lock, and what becomes of each request there. */
abstract class PostTarget {
    final ManagedResource queuePair;
    final ManagedResource domain;
    final StreamDriver driver;
    /** What everything of the stream happens under; {@link #enter} takes it, who entered gives it back. */
    final SpinLock lock;
    /** Where requests are put in line; locked. */
    final SendCommands sends;
    /** What carries requests out without putting them in line; locked. Null where each is put there. */
    final @Nullable LonePosts alone;

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
        alone = atOnce ? driver.alone : null;
    }

    /**
     * Called before each post, locked. What it sets {@link SendCommands#holds} to lasts until the lock is given back.
     */
    abstract void begin();

    /** Called after each post, locked: returns its {@code status}, after what follows one that was accepted. */
    abstract int answer(int status);

    /** Takes the lock of a queue pair that is open. */
    final SendCommands enter() {
        queuePair.requireOpen();
        lock.lock();
        return sends;
    }
}
