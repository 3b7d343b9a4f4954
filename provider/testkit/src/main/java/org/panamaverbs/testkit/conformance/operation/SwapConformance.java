package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Requirement;

/** Swap: what it stores and returns, alone, in batches and against others; and its refusal where there is none. */
public abstract class SwapConformance extends Conformance {
    private static final long RESULT = 4096;
    private static final long CELL = 64;
    private static final int LINKS = 3;
    private static final int TIMES = 40;

    /** For subclasses. */
    protected SwapConformance() {}

    @Test
    @Requirement({"EXT-5.1.2-01", "DRAFT01-5.1.2-02"})
    void storesWhateverTheCellHeld() {
        ConnectedPair pair = pair(Feature.MASKED_ATOMICS);
        pair.b().putLong(CELL, 123);
        for (long value : new long[] {456, 0, -1, Long.MIN_VALUE, 0x0102_0304_0506_0708L}) {
            long before = pair.b().getLong(CELL);
            accepted(pair.qpA().swap(1, pair.a().buffer(), RESULT, pair.b().remote(), CELL, value, SIGNALED));
            Completion completion = pair.a().inbox().takeOk(1);
            assertThat(completion.opcode()).isEqualTo(WcOpcode.CMP_SWAP);
            assertThat(completion.byteCount()).isEqualTo(Long.BYTES);
            assertThat(pair.a().getLong(RESULT)).isEqualTo(before);
            assertThat(pair.b().getLong(CELL)).isEqualTo(value);
        }
        assertThat(pair.b().get(CELL - 8, 8)).containsOnly(0);
        assertThat(pair.b().get(CELL + 8, 8)).containsOnly(0);
        assertThat(pair.a().get(RESULT - 8, 8)).containsOnly(0);
        assertThat(pair.a().get(RESULT + 8, 8)).containsOnly(0);
    }

    @Test
    @Requirement({"EXT-5.1.2-01", "EXT-7-05"})
    void eachOfBatchFindsWhatTheOneBeforeStored() {
        ConnectedPair pair = pair(Feature.MASKED_ATOMICS);
        pair.b().putLong(CELL, 1000);
        Batch batch = pair.qpA().batch();
        for (int i = 0; i < TIMES; i++) {
            accepted(batch.swap(
                    i, pair.a().buffer(), 8L * i, pair.b().remote(), CELL, 1001 + i, i == TIMES - 1 ? SIGNALED : NONE));
        }
        assertThat(pair.b().getLong(CELL)).as("before submit").isEqualTo(1000);
        assertThat(batch.submit()).isEqualTo(TIMES);
        pair.a().inbox().takeOk(TIMES - 1);
        for (int i = 0; i < TIMES; i++) {
            assertThat(pair.a().getLong(8L * i)).isEqualTo(1000 + i);
        }
        assertThat(pair.b().getLong(CELL)).isEqualTo(1000 + TIMES);
    }

    @Test
    @Requirement({"EXT-7-05", "EXT-5.4-8-01"})
    void keepsItsPlaceAmongOtherAtomics() {
        ConnectedPair pair = pair(Feature.MASKED_ATOMICS);
        RegisteredBuffer local = pair.a().buffer();
        RemoteBuffer remote = pair.b().remote();
        accepted(pair.qpA().fetchAdd(1, local, 0, remote, CELL, 5, NONE));
        accepted(pair.qpA().swap(2, local, 8, remote, CELL, 100, NONE));
        accepted(pair.qpA().cmpSwap(3, local, 16, remote, CELL, 100, 200, NONE));
        accepted(pair.qpA().swap(4, local, 24, remote, CELL, 7, SIGNALED));
        pair.a().inbox().takeOk(4);
        assertThat(new long[] {
                    pair.a().getLong(0),
                    pair.a().getLong(8),
                    pair.a().getLong(16),
                    pair.a().getLong(24)
                })
                .containsExactly(0, 5, 100, 200);
        assertThat(pair.b().getLong(CELL)).isEqualTo(7);
    }

    /** Each stores a value that no other stores; what one stored is found by exactly one, and the last stays. */
    @Test
    @Requirement({"EXT-5-01", "EXT-5.3-01"})
    void swapsOfSeveralConnectionsTakeEffectOneAfterAnother() {
        ConnectedPair pair = pair(Feature.MASKED_ATOMICS);
        List<Link> links = new ArrayList<>(List.of(pair.link()));
        while (links.size() < LINKS) {
            links.add(pair.connect(
                    pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config)));
        }
        long[] ids = new long[LINKS * TIMES];
        for (int id = 1; id <= ids.length; id++) {
            QueuePair queuePair = links.get(id % LINKS).qpA();
            accepted(queuePair.swap(id, pair.a().buffer(), 8L * id, pair.b().remote(), CELL, id, SIGNALED));
            ids[id - 1] = id;
        }
        Map<Long, Long> next = new HashMap<>();
        for (int taken = 0; taken < ids.length; taken++) {
            Completion completion = pair.a().inbox().take();
            assertThat(completion.ok()).as("%s", completion).isTrue();
            assertThat(next.put(pair.a().getLong(8 * completion.wrId()), completion.wrId()))
                    .as("two swaps found the same")
                    .isNull();
        }
        long cell = 0;
        for (int step = 0; step < ids.length; step++) {
            assertThat(next).containsKey(cell);
            cell = Objects.requireNonNull(next.get(cell));
        }
        assertThat(pair.b().getLong(CELL)).isEqualTo(cell);
    }

    @Test
    @ApiCase
    void refusesAtTheRequesterWhatCannotBe() {
        ConnectedPair pair = pair(Feature.MASKED_ATOMICS);
        QueuePair queuePair = pair.qpA();
        RegisteredBuffer local = pair.a().buffer();
        RemoteBuffer remote = pair.b().remote();
        RemoteBuffer writable = pair.b().buffer().remote(0, 64, Access.REMOTE_WRITE);
        long end = local.length();
        assertThatThrownBy(() -> queuePair.swap(1, local, end - 7, remote, CELL, 1, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.swap(1, local, 0, remote, end, 1, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.batch().swap(1, local, 0, remote, CELL + 4, 1, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queuePair.swap(1, local, 0, writable, 0, 1, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_ATOMIC");
        assertThat(queuePair.batch().submit()).isZero();
        pair.a().inbox().expectNothing();
        pair.barrier();
        assertThat(pair.b().getLong(CELL)).isZero();
    }

    /** A device without it says so by name, and does nothing else in its place. */
    @Test
    @ApiCase
    void isNeverEmulatedBehindTheApplicationsBack() {
        ConnectedPair pair = pair();
        requires(!pair.a().capabilities().has(Feature.MASKED_ATOMICS), pair.a().verbs(), "has Swap");
        RegisteredBuffer cell = pair.b().buffer();
        RemoteBuffer remote = RemoteBuffer.of(cell.rkey(), cell.iova(), cell.length(), Access.REMOTE_ATOMIC);
        RegisteredBuffer local = pair.a().buffer();
        String device = pair.a().verbs().device().name();
        pair.b().putLong(CELL, 42);
        assertThatThrownBy(() -> pair.qpA().swap(1, local, 0, remote, CELL, 1, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll(device, Feature.MASKED_ATOMICS.name());
        Batch batch = pair.qpA().batch();
        assertThatThrownBy(() -> batch.swap(2, local, 0, remote, CELL, 1, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll(device, Feature.MASKED_ATOMICS.name());
        assertThat(batch.submit()).isZero();
        pair.a().inbox().expectNothing();
        pair.barrier();
        assertThat(pair.b().getLong(CELL)).isEqualTo(42);
    }
}
