package org.panamaverbs.iwarp.engine.objects;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.engine.progress.StreamDriver;
import org.panamaverbs.memory.ManagedResource;

/** Transmits each request at once, on the thread that posts. */
final class DirectPosts extends PostTarget {
    DirectPosts(ManagedResource queuePair, ManagedResource domain, StreamDriver driver, Stream stream) {
        super(queuePair, domain, driver, stream, true);
    }

    @Override
    void begin() {
        if (sends.held() != 0) {
            throw openBatch();
        }
    }

    private IllegalStateException openBatch() {
        return new IllegalStateException(
                queuePair.resourceName() + " has an open batch: submit or discard it before posting otherwise");
    }

    @Override
    int answer(int status) {
        if (status >= PostStatus.ACCEPTED) {
            driver.flush();
        }
        return status;
    }
}
