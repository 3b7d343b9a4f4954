package org.panamaverbs.testkit.conformance.operation;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.util.EmulatedMaskedAtomics;
import org.panamaverbs.api.util.EmulatedMaskedAtomics.Outcome;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.process.Allocation;
import org.panamaverbs.testkit.random.Seeded;
import org.panamaverbs.testkit.random.SeededRandom;

/** Masked atomics made of CmpSwaps: the results of the real ones, and an honest answer when they do not succeed. */
public abstract class EmulatedAtomicsConformance extends Conformance {
    private static final long CELL = 64;
    private static final long TWO_FIELDS = 0x8000_0000_8000_0000L;

    /** For subclasses. */
    protected EmulatedAtomicsConformance() {}

    @Test
    @ApiCase
    void fetchAddCutsTheCarryBetweenFields() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        EmulatedMaskedAtomics atomics = emulation(pair, 8);
        pair.b().putLong(CELL, 0x0000_0001_FFFF_FFFFL);
        assertThat(run(() -> atomics.fetchAdd(
                        pair.b().remote(), CELL, 0x0000_0001_0000_0001L, TWO_FIELDS, Waits.deadline())))
                .isEqualTo(Outcome.DONE);
        assertThat(atomics.before()).isEqualTo(0x0000_0001_FFFF_FFFFL);
        assertThat(pair.b().getLong(CELL)).isEqualTo(0x0000_0002_0000_0000L);
        assertThat(pair.b().get(CELL - 8, 8)).containsOnly(0);
        assertThat(pair.b().get(CELL + 8, 8)).containsOnly(0);
    }

    @Test
    @ApiCase
    void cmpSwapComparesAndStoresOnlyMaskedBits() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        EmulatedMaskedAtomics atomics = emulation(pair, 8);
        RemoteBuffer remote = pair.b().remote();
        pair.b().putLong(CELL, 0x1111_2222_3333_4444L);
        assertThat(run(() -> atomics.cmpSwap(remote, CELL, 0x4444, -1, 0xFFFF, 0xFFL << 56, Waits.deadline())))
                .isEqualTo(Outcome.DONE);
        assertThat(atomics.before()).isEqualTo(0x1111_2222_3333_4444L);
        assertThat(pair.b().getLong(CELL)).isEqualTo(0xFF11_2222_3333_4444L);

        assertThat(run(() -> atomics.cmpSwap(remote, CELL, 0x4445, 0, 0xFFFF, -1L, Waits.deadline())))
                .isEqualTo(Outcome.DONE);
        assertThat(MaskedAtomics.matches(atomics.before(), 0x4445, 0xFFFF)).isFalse();
        assertThat(pair.b().getLong(CELL)).isEqualTo(0xFF11_2222_3333_4444L);
    }

    @Test
    @ApiCase
    void swapTakesOneAttemptWhereTheCellIsAsItLeftIt() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        EmulatedMaskedAtomics atomics = emulation(pair, 2);
        pair.b().putLong(CELL, 123);
        assertThat(run(() -> atomics.swap(pair.b().remote(), CELL, 456, Waits.deadline())))
                .isEqualTo(Outcome.DONE);
        assertThat(atomics.before()).isEqualTo(123);
        assertThat(atomics.attempts()).isEqualTo(2);
        assertThat(run(() -> atomics.swap(pair.b().remote(), CELL, 789, Waits.deadline())))
                .isEqualTo(Outcome.DONE);
        assertThat(atomics.before()).isEqualTo(456);
        assertThat(atomics.attempts()).isEqualTo(1);
        assertThat(pair.b().getLong(CELL)).isEqualTo(789);
    }

    @Test
    @ApiCase
    void interruptEndsTheWaitForAnAnswer() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        EmulatedMaskedAtomics atomics = EmulatedAtomics.unanswered(pair, 0);
        Background<Boolean> waiting = Background.start("swap", () -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> atomics.swap(pair.b().remote(), CELL, 1, Waits.deadline()))
                    .isInstanceOf(WaitInterruptedException.class);
            return Thread.currentThread().isInterrupted();
        });
        poller().await("the interrupted wait", waiting::isDone);
        assertThat(waiting.await(Waits.deadline())).isTrue();
    }

    @Seeded(cases = 5)
    @ApiCase
    void anyMasksEqualTheirDefinition(SeededRandom random) {
        ConnectedPair pair = pair(Feature.ATOMICS);
        EmulatedMaskedAtomics atomics = emulation(pair, 2);
        RemoteBuffer remote = pair.b().remote();
        long[] model = {random.nextLong(), random.nextLong()};
        pair.b().putLong(CELL, model[0]);
        pair.b().putLong(CELL + 8, model[1]);
        for (int i = 0; i < 100; i++) {
            int cell = random.oneIn(4) ? 1 : 0;
            long offset = CELL + cell * 8L;
            long operand = random.nextLong();
            long bits = random.nextLong();
            long mask = random.oneIn(4) ? 0 : bits & (bits >>> 7);
            long swapMask = random.nextLong();
            long before = model[cell];
            long compare = random.oneIn(2) ? before : random.nextLong();
            boolean add = random.oneIn(2);
            assertThat(run(() -> add
                            ? atomics.fetchAdd(remote, offset, operand, mask, Waits.deadline())
                            : atomics.cmpSwap(remote, offset, compare, operand, mask, swapMask, Waits.deadline())))
                    .isEqualTo(Outcome.DONE);
            assertThat(atomics.before()).isEqualTo(before);
            if (add) {
                model[cell] = MaskedAtomics.fetchAdd(before, operand, mask);
            } else if (MaskedAtomics.matches(before, compare, mask)) {
                model[cell] = MaskedAtomics.swap(before, operand, swapMask);
            }
            assertThat(pair.b().getLong(offset)).isEqualTo(model[cell]);
        }
    }

    @Test
    @ApiCase
    void passedDeadlineHasNoEffect() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        EmulatedMaskedAtomics atomics = emulation(pair, 2);
        assertThat(run(() -> atomics.swap(pair.b().remote(), CELL, 1, Deadline.now())))
                .isEqualTo(Outcome.TIMED_OUT);
        assertThat(atomics.attempts()).isZero();
        pair.barrier();
        assertThat(pair.b().getLong(CELL)).isZero();
    }

    @Test
    void saysWhenItCannotKnowAndGoesOnAfterwards() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        EmulatedMaskedAtomics atomics = emulation(pair, 8);
        long least = 0;
        long unknown = 0;
        boolean cutOff = pair.a().keeps(Guarantee.ATOMICS_UNDER_WAY);
        Deadline patience = cutOff ? Waits.deadline() : Deadline.in(2, SECONDS);
        for (long nanos = 1000; unknown == 0 && !patience.passed(); nanos += 100) {
            long brief = nanos;
            Outcome outcome =
                    run(() -> atomics.fetchAdd(pair.b().remote(), CELL, 1, 0, Deadline.in(brief, NANOSECONDS)));
            least += outcome == Outcome.DONE ? 1 : 0;
            unknown += outcome == Outcome.UNKNOWN ? 1 : 0;
        }
        requires(
                unknown > 0 || cutOff,
                pair.a().verbs(),
                "completed all atomics while they were posted: none was cut off");
        assertThat(unknown).as("operations cut off under way").isEqualTo(1);
        assertThat(run(() -> atomics.fetchAdd(pair.b().remote(), CELL, 1, 0, Waits.deadline())))
                .isEqualTo(Outcome.DONE);
        assertThat(pair.b().getLong(CELL)).isBetween(least + 1, least + 2);
    }

    @Test
    @ApiCase
    void failureComesWithTheStatusOfTheCompletion() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        EmulatedMaskedAtomics atomics = emulation(pair, 2);
        RegisteredBuffer gone = pair.b().domain().allocate(64, Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
        RemoteBuffer remote = gone.remote();
        gone.close();
        assertThat(run(() -> atomics.swap(remote, 0, 1, Waits.deadline()))).isEqualTo(Outcome.FAILED);
        assertThat(atomics.completionStatus()).isNotEqualTo(WcStatus.SUCCESS);
        assertThat(atomics.attempts()).isEqualTo(1);
    }

    @Test
    @ApiCase
    void refusalComesWithTheStatusOfThePost() {
        Endpoint side = sideA(Feature.ATOMICS);
        CompletionQueue receives = side.newQueue(4);
        QueuePair idle = side.newQueuePair(config -> config.withRecvCq(receives));
        EmulatedMaskedAtomics atomics = EmulatedMaskedAtomics.over(idle, side.buffer(), 0, 2);
        assertThat(atomics.swap(side.remote(), CELL, 1, Waits.deadline())).isEqualTo(Outcome.REFUSED);
        assertThat(atomics.postStatus()).isNegative();
        assertThat(atomics.attempts()).isZero();
    }

    @Test
    @ApiCase
    void refusesWhatItCannotWorkWith() {
        Endpoint side = sideA(Feature.ATOMICS);
        QueuePair shared = side.newQueuePair(config -> config);
        assertThatThrownBy(() -> EmulatedMaskedAtomics.over(shared, side.buffer(), 0, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("receives");
        CompletionQueue receives = side.newQueue(4);
        QueuePair own = side.newQueuePair(config -> config.withRecvCq(receives));
        assertThatThrownBy(() -> EmulatedMaskedAtomics.over(own, side.buffer(), 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("attempts");
        assertThatThrownBy(() -> EmulatedMaskedAtomics.over(own, side.buffer(), 4, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("aligned");
        EmulatedMaskedAtomics atomics = EmulatedMaskedAtomics.over(own, side.buffer(), 0, 2);
        RemoteBuffer readOnly = side.buffer().remote(0, 64, Access.REMOTE_READ);
        assertThatThrownBy(() -> atomics.swap(readOnly, 0, 1, Waits.deadline()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_ATOMIC");
    }

    @Test
    void allocatesNothing() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        guaranteed(pair, Guarantee.NO_GARBAGE);
        EmulatedMaskedAtomics atomics = emulation(pair, 4);
        RemoteBuffer remote = pair.b().remote();
        int operations = Integer.getInteger("verbs.test.operations", 10_000) / 4;
        poller().whilePolling("emulated atomics", Deadline.in(3, MINUTES), () -> {
            Allocation.expectNone(operations, 12, () -> {
                Deadline deadline = Waits.deadline();
                for (int i = 0; i < operations; i++) {
                    if (atomics.fetchAdd(remote, CELL + (i & 8), 1, TWO_FIELDS, deadline) != Outcome.DONE) {
                        throw new AssertionError("an operation failed");
                    }
                }
            });
            return operations;
        });
    }

    private Outcome run(Callable<Outcome> operation) {
        return whilePolling("an emulated atomic", operation);
    }

    /** Emulates over one more connection of {@code pair}, whose queues are polled by nobody else. */
    private static EmulatedMaskedAtomics emulation(ConnectedPair pair, int maxAttempts) {
        return EmulatedAtomics.over(pair, 0, maxAttempts);
    }
}
