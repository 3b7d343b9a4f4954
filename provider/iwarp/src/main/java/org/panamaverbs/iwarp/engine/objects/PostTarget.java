package org.panamaverbs.iwarp.engine.objects;

import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.core.work.SendCommands;
import org.panamaverbs.iwarp.engine.context.SpinLock;
import org.panamaverbs.iwarp.engine.progress.StreamDriver;
import org.panamaverbs.memory.ManagedResource;

/** What a {@link SendPoster} posts to: a stream under its lock, and what becomes of each request there. */
abstract class PostTarget {
    final ManagedResource queuePair;
    final ManagedResource domain;
    final StreamDriver driver;
    /** What everything of the stream happens under; {@link #enter} takes it, who entered gives it back by a store. */
    final SpinLock lock;
    /** Where requests are put in line; locked. */
    final SendCommands sends;

    /** Creates a target that posts to {@code stream} of {@code queuePair}, which is of {@code domain}. */
    PostTarget(ManagedResource queuePair, ManagedResource domain, StreamDriver driver, Stream stream) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.driver = driver;
        lock = driver.lock;
        sends = stream.sends();
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
