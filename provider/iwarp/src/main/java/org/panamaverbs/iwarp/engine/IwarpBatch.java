package org.panamaverbs.iwarp.engine;

import org.panamaverbs.api.Batch;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.memory.ManagedResource;

/**
 * Posts sends that wait for {@link #submit()}. Belongs to one thread. It is open while the send queue withholds
 * something, so that a post that was refused, or that threw, does not open it.
 */
final class IwarpBatch extends PostTarget implements SendPoster, Batch {
    /** Whether anything was posted or tried since the last submit or discard: else the batch is empty. */
    private boolean begun;

    IwarpBatch(ManagedResource queuePair, ManagedResource domain, StreamDriver driver, Stream stream) {
        super(queuePair, domain, driver, stream, false);
    }

    @Override
    public PostTarget target() {
        return this;
    }

    @Override
    void begin() {
        begun = true;
        sends.holds = true;
    }

    @Override
    int answer(int status) {
        // It waits for submit.
        return status;
    }

    // Locked, since others may post while the batch is empty.
    @Override
    public int pending() {
        if (!begun) {
            return 0;
        }
        lock.lock();
        try {
            return sends.held();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int submit() {
        queuePair.requireOpen();
        if (!begun) {
            return 0;
        }
        lock.lock();
        try {
            int count = sends.publish();
            begun = false;
            driver.flush();
            return count;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void discard() {
        if (!begun) {
            return;
        }
        lock.lock();
        try {
            sends.discardHeld();
            begun = false;
        } finally {
            lock.unlock();
        }
    }
}
