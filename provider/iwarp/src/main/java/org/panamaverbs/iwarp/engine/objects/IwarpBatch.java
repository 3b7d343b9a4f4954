package org.panamaverbs.iwarp.engine.objects;

import org.panamaverbs.api.Batch;
import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.engine.progress.StreamDriver;
import org.panamaverbs.memory.ManagedResource;

/** Posts sends that wait for {@link #submit()}. Belongs to one thread. */
final class IwarpBatch extends SendPoster implements Batch {
    private final StreamDriver driver;
    private boolean holding;

    IwarpBatch(ManagedResource queuePair, ManagedResource domain, StreamDriver driver, Stream stream) {
        super(queuePair, domain, driver, stream);
        this.driver = driver;
    }

    @Override
    void begin(Stream target) {
        if (!holding) {
            target.sends().hold();
            holding = true;
        }
    }

    @Override
    void accepted(StreamDriver itsDriver) {
        // Waits for submit.
    }

    // A batch is open once it has something: a post that was refused, or that threw, does not open it.
    @Override
    void left(Stream target) {
        if (holding && target.sends().held() == 0) {
            holding = false;
            target.sends().discardHeld();
        }
    }

    @Override
    public int pending() {
        return holding ? driver.stream().sends().held() : 0;
    }

    @Override
    public int submit() {
        if (!holding) {
            return 0;
        }
        driver.lock.lock();
        try {
            holding = false;
            int count = driver.stream().sends().publish();
            driver.flush();
            return count;
        } finally {
            driver.lock.held = false;
        }
    }

    @Override
    public void discard() {
        if (!holding) {
            return;
        }
        driver.lock.lock();
        try {
            holding = false;
            driver.stream().sends().discardHeld();
        } finally {
            driver.lock.held = false;
        }
    }
}
