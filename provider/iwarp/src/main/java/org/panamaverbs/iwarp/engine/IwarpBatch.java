package org.panamaverbs.iwarp.engine;

import org.panamaverbs.api.Batch;
import org.panamaverbs.iwarp.core.Stream;

/** Posts sends that wait for {@link #submit()}. Belongs to one thread. */
final class IwarpBatch extends SendPoster implements Batch {
    private final StreamDriver driver;
    private boolean holding;

    IwarpBatch(IwarpQueuePair queuePair, StreamDriver driver, Stream stream) {
        super(queuePair, driver, stream);
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

    @Override
    public int submit() {
        if (!holding) {
            return 0;
        }
        driver.lock();
        try {
            holding = false;
            int count = driver.stream().sends().publish();
            driver.flush();
            return count;
        } finally {
            driver.unlock();
        }
    }

    @Override
    public void discard() {
        if (!holding) {
            return;
        }
        driver.lock();
        try {
            holding = false;
            driver.stream().sends().discardHeld();
        } finally {
            driver.unlock();
        }
    }
}
