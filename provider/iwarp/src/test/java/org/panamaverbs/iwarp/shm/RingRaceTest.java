package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.iovec.IoVector;

/** Two sides in two threads that meet at one step many times, a little apart: a sample of what the proof tries. */
@Timeout(90)
class RingRaceTest {
    private static final int PAIRS = 128;
    private static final int BATCHES = 2_000;
    private static final int MOST_APART = 32;
    // So long one waits for the other, which may not be running: then they do not meet this time.
    private static final int MOST_SPINS = 200;
    private static final long ENOUGH_SECONDS = 2;
    private static final long PATIENCE_SECONDS = 30;
    private static final int RING = 64;

    private final RingPair[] lefts = new RingPair[PAIRS];
    private final RingPair[] rights = new RingPair[PAIRS];
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private volatile boolean over;
    // How many pairs each thread has come to, in all batches.
    private final AtomicLong here = new AtomicLong();
    private final AtomicLong there = new AtomicLong();

    /** What is done with the pair {@code index}. */
    private interface Step {
        void take(int index) throws IOException;
    }

    @Test
    void whoGoesToSleepWhileThePeerWritesIsWokenOrDoesNotSleep() throws Exception {
        boolean[] sleeps = new boolean[PAIRS];
        boolean[] rung = new boolean[PAIRS];
        ByteBuffer out = ByteBuffer.allocateDirect(1);
        race(
                i -> sleeps[i] = rights[i].sleep(true, false),
                i -> {
                    lefts[i].write(IoVector.of(out.clear()));
                    rung[i] = lefts[i].mustRing();
                },
                i -> assertThat(sleeps[i] && !rung[i]).as("sleeps on").isFalse());
    }

    @Test
    void whoGoesToSleepWhileThePeerEndsIsWokenOrDoesNotSleep() throws Exception {
        boolean[] sleeps = new boolean[PAIRS];
        boolean[] rung = new boolean[PAIRS];
        race(
                i -> sleeps[i] = rights[i].sleep(true, false),
                i -> {
                    lefts[i].end();
                    rung[i] = lefts[i].mustRing();
                },
                i -> assertThat(sleeps[i] && !rung[i]).as("sleeps on").isFalse());
    }

    /** Has {@code mine} and {@code theirs} meet at each of many pairs, and {@code judge} look at what came of it. */
    private void race(Step mine, Step theirs, Step judge) throws Exception {
        FutureTask<Void> other = new FutureTask<>(() -> {
            runBeside(theirs);
            return null;
        });
        Thread.ofPlatform().daemon().start(other);
        Deadline enough = Deadline.in(ENOUGH_SECONDS, TimeUnit.SECONDS);
        for (int batch = 0; batch < BATCHES && !enough.passed(); batch++) {
            newPairs();
            bothHere();
            for (int i = 0; i < PAIRS; i++) {
                meet(here, there, (batch + i) % MOST_APART);
                mine.take(i);
            }
            bothHere();
            for (int i = 0; i < PAIRS; i++) {
                judge.take(i);
            }
        }
        over = true;
        bothHere();
        other.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private void runBeside(Step theirs) throws Exception {
        bothHere();
        while (!over) {
            for (int i = 0; i < PAIRS; i++) {
                meet(there, here, 0);
                theirs.take(i);
            }
            bothHere();
            bothHere();
        }
    }

    private void newPairs() {
        for (int i = 0; i < PAIRS; i++) {
            MemorySegment left = Arena.ofAuto().allocate(RingLayout.HEADER_BYTES + RING, Long.BYTES);
            MemorySegment right = Arena.ofAuto().allocate(RingLayout.HEADER_BYTES + RING, Long.BYTES);
            lefts[i] = RingPair.ofAnySize(left, right);
            rights[i] = RingPair.ofAnySize(right, left);
        }
    }

    private void bothHere() throws Exception {
        barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Comes to the next pair, where the other comes too, and goes on {@code apart} moments later. */
    private static void meet(AtomicLong mine, AtomicLong other, int apart) {
        long pair = mine.incrementAndGet();
        for (int i = 0; i < MOST_SPINS && other.get() < pair; i++) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < apart; i++) {
            Thread.onSpinWait();
        }
    }
}
