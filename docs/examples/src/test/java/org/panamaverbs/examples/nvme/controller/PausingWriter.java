package org.panamaverbs.examples.nvme.controller;

import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;

/** Keeps what is printed, and holds up whoever prints some words for the first time. */
final class PausingWriter extends StringWriter {
    private final String words;
    private final CountDownLatch paused = new CountDownLatch(1);
    private final CountDownLatch resumed = new CountDownLatch(1);

    PausingWriter(String words) {
        this.words = words;
    }

    @Override
    public void write(String text, int from, int length) {
        super.write(text, from, length);
        if (text.contains(words)) {
            paused.countDown();
            await(resumed, TimeUnit.MINUTES.toNanos(1));
        }
    }

    /** Waits until somebody is held up. */
    void awaitPause(Deadline deadline) {
        await(paused, deadline.remainingNanos());
    }

    /** Holds up nobody from now on. */
    void resume() {
        resumed.countDown();
    }

    private static void await(CountDownLatch latch, long nanos) {
        try {
            if (!latch.await(nanos, TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("nobody came in time");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
