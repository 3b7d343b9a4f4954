package org.panamaverbs.iwarp.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.testkit.faults.StackEnd;

/** What was withheld is sent by the event loop, whoever is the loop. */
@Timeout(60)
class HeldDoorbellsTest {
    private static final int FRAMES_OF_A_PASS = 40;
    private static final int COMPILED = 2_000;

    private final EventLoop loop = EventLoop.start(SystemSockets.best());
    private final HeldDoorbells doorbells = new HeldDoorbells(loop);
    private Held first = new Held();
    private Held second = new Held();

    /** A stream with something withheld. */
    private static final class Held {
        private final HeldDoorbells.Entry entry = new HeldDoorbells.Entry(this::send);
        // Of who enters it, until another looks after it.
        private boolean entered;
        private volatile int sent;

        private void send(long now) {
            sent = deeper(FRAMES_OF_A_PASS);
        }

        private static int deeper(int frames) {
            return frames == 0 ? 1 : deeper(frames - 1);
        }

        private void awaitSent() {
            Deadline deadline = Deadline.in(10, TimeUnit.SECONDS);
            while (entered && sent == 0) {
                assertThat(deadline.passed()).as("not sent in time").isFalse();
                Thread.yield();
            }
        }
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private void enter(Held stream) {
        doorbells.add(stream.entry, System.nanoTime() - Doorbells.LOOK_NANOS);
        stream.entered = true;
    }

    @Test
    void isSentThoughTheStackOfWhoHasBorrowedTheLoopEnds() throws InterruptedException {
        expectSent();
    }

    @RepeatedTest(3)
    @Tag("proof")
    void isSentHoweverItIsCompiledMeanwhile() throws InterruptedException {
        expectSent();
    }

    private void expectSent() throws InterruptedException {
        for (int i = 0; i < COMPILED; i++) {
            first.send(0);
        }
        first = new Held();
        StackEnd.Outcome outcome = StackEnd.each(
                () -> {
                    loop.turnIfFree(); // so that the loop's own thread keeps away
                    enter(first);
                    enter(second);
                    loop.turnIfFree();
                },
                () -> {
                    first.awaitSent();
                    second.awaitSent();
                    first = new Held();
                    second = new Held();
                });

        assertThat(outcome.overflows()).isPositive();
        assertThat(outcome.tried()).isGreaterThan(outcome.overflows());
    }
}
