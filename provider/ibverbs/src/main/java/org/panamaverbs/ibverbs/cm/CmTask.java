package org.panamaverbs.ibverbs.cm;

import org.jspecify.annotations.Nullable;

/**
 * What runs on a thread of a channel's, see {@link CmChannel#execute}. It has its own place among those that no thread
 * could be had for, so that waiting there needs no memory: what must not be lost is made beforehand.
 */
public final class CmTask implements Runnable {
    private final Runnable body;
    // The list's, see DeferredTasks: the one behind this one, and whether this one waits.
    @Nullable
    CmTask next;

    boolean waiting;

    /** Creates a task that runs {@code body}. It may be executed again, also while it runs. */
    public CmTask(Runnable body) {
        this.body = body;
    }

    @Override
    public void run() {
        body.run();
    }
}
