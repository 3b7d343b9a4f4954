package org.panamaverbs.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.testkit.process.Allocation;

/** Sleeps at words that others change. */
@Timeout(60)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class FutexWaiterTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(40);
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int ROUNDS = 20_000;
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private final FutexWaiter waiter = prepared();
    private final MemorySegment words = Arena.ofAuto().allocate(2L * Integer.BYTES, Integer.BYTES);

    private static FutexWaiter prepared() {
        FutexWaiter.prepare();
        return new FutexWaiter();
    }

    private int value(int index) {
        return (int) WORD.getVolatile(words, (long) index * Integer.BYTES);
    }

    private long address(int index) {
        return words.address() + (long) index * Integer.BYTES;
    }

    /** Sleeps for so long at both words; returns for how long. */
    private long sleep(long nanos) {
        long start = System.nanoTime();
        assertThat(waiter.sleep(nanos)).isTrue();
        return System.nanoTime() - start;
    }

    @Test
    void sleepsNoLongerThanItIsTold() {
        waiter.begin();
        assertThat(waiter.add(address(0), value(0))).isTrue();
        assertThat(sleep(SHORT_NANOS)).isGreaterThanOrEqualTo(SHORT_NANOS).isLessThan(LONG_NANOS);
        assertThat(FutexWaiter.isUsable()).isTrue();
    }

    @Test
    void doesNotSleepWhereSomethingChangedBefore() {
        waiter.begin();
        waiter.wakeup();
        assertThat(sleep(LONG_NANOS)).isLessThan(LONG_NANOS);
        waiter.clear();
        waiter.add(address(0), value(0));
        waiter.add(address(1), value(1) + 1);
        assertThat(sleep(LONG_NANOS)).isLessThan(LONG_NANOS);
    }

    @Test
    void hasAFewWordsAndNoMore() {
        waiter.begin();
        for (int i = 0; i < FutexWaiter.MOST_WORDS; i++) {
            assertThat(waiter.add(address(i % 2), value(i % 2))).isTrue();
        }
        assertThat(waiter.add(address(0), value(0))).isFalse();
        assertThat(sleep(SHORT_NANOS)).isGreaterThanOrEqualTo(SHORT_NANOS);
    }

    @Test
    void memoryThatIsUnmappedEndsASleepAndNoMore() {
        waiter.begin();
        waiter.add(Integer.BYTES, 0);
        assertThat(sleep(LONG_NANOS)).isLessThan(LONG_NANOS);
        assertThat(FutexWaiter.isUsable()).isTrue();
    }

    /** Two threads wake each other in turns, by a word or by a call: a wake-up that is lost costs a whole sleep. */
    @Test
    void losesNoWakeUp() throws Exception {
        FutexWaiter other = new FutexWaiter();
        FutureTask<Void> answers = new FutureTask<>(() -> {
            answer(other);
            return null;
        });
        Thread.ofPlatform().daemon().start(answers);
        long start = System.nanoTime();
        for (int round = 1; round <= ROUNDS; round++) {
            put(0, round);
            await(waiter, 1, round, round % 2 == 0 ? null : waiter);
        }
        answers.get(40, TimeUnit.SECONDS);
        assertThat(System.nanoTime() - start).isLessThan(LONG_NANOS);
    }

    private void put(int index, int round) {
        WORD.setVolatile(words, (long) index * Integer.BYTES, round);
        assertThat(FutexWaiter.wake(address(index))).isTrue();
    }

    private void answer(FutexWaiter sleeper) {
        for (int round = 1; round <= ROUNDS; round++) {
            await(sleeper, 0, round, null);
            if (round % 2 == 0) {
                put(1, round);
            } else {
                WORD.setVolatile(words, (long) Integer.BYTES, round);
                waiter.wakeup();
            }
        }
    }

    // By its own word alone if that is what the other side changes: the word itself would tell, too.
    private void await(FutexWaiter sleeper, int index, int round, @Nullable FutexWaiter byCall) {
        sleeper.begin();
        while (value(index) != round) {
            sleeper.clear();
            if (byCall == null) {
                sleeper.add(address(index), round - 1);
            }
            assertThat(sleeper.sleep(LONG_NANOS)).isTrue();
        }
    }

    @Test
    void allocatesNothingEvenBeforeItIsCompiled() {
        Runnable wakes = () -> {
            for (int i = 0; i < 100; i++) {
                waiter.wakeup();
                FutexWaiter.wake(address(0));
            }
        };
        wakes.run();
        Allocation.of(() -> {});
        assertThat(Allocation.of(wakes)).isZero();
    }
}
