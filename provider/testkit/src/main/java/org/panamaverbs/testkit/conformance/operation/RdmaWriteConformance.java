package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.GuardedBuffer;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Patterns;

/** RDMA Writes of every size and place. */
public abstract class RdmaWriteConformance extends Conformance {
    /** For subclasses. */
    protected RdmaWriteConformance() {}

    @Test
    @Requirement({"RDMAP-5.1-04", "RDMAP-5.1-02", "RDMAP-3.2-04"})
    void writesIntoTheMiddleWithoutTellingTheTarget() {
        ConnectedPair pair = pair();
        GuardedBuffer target = guarded(pair.b(), 300, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        byte[] data = Patterns.bytes(1, 100);
        pair.a().put(50, data);
        accepted(pair.qpB().recv(2, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().write(1, pair.a().buffer(), 50, 100, target.buffer().remote(), 101, SIGNALED));

        Completion written = pair.a().inbox().takeOk(1);
        assertThat(written.opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        assertThat(written.byteCount()).isZero();
        assertThat(written.qpNumber()).isEqualTo(pair.qpA().number());
        pair.b().inbox().expectNothing();
        // The receive is still there, for the Send that shows the Write.
        accepted(pair.qpA().send(3, pair.a().buffer(), 0, 8, SIGNALED));
        pair.a().inbox().takeOk(3);
        pair.b().inbox().takeOk(2);
        byte[] after = target.bytes();
        assertThat(Arrays.copyOfRange(after, 101, 201)).isEqualTo(data);
        assertThat(Arrays.copyOfRange(after, 0, 101)).containsOnly(0x5A);
        assertThat(Arrays.copyOfRange(after, 201, 300)).containsOnly(0x5A);
        target.expectGuardsIntact();
        pair.b().inbox().expectNothing();
    }

    @Test
    @Requirement({"DDP-5.2-03", "DDP-5.2-04", "DDP-5.2-07", "RDMAP-5.1-04"})
    void writesEverySizeAtOddOffsets() {
        ConnectedPair pair = pair();
        for (int size : new int[] {1, 2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 1400, 1448, 1500, 4096, 9000, 40_000}) {
            byte[] data = Patterns.bytes(size, size);
            pair.a().put(size % 7, data);
            pair.b().put(0, new byte[size + 16]);
            accepted(pair.qpA()
                    .write(size, pair.a().buffer(), size % 7, size, pair.b().remote(), 1 + size % 5, SIGNALED));
            pair.a().inbox().takeOk(size);
            pair.barrier();
            assertThat(pair.b().get(1 + size % 5, size)).isEqualTo(data);
            assertThat(pair.b().get(0, 1 + size % 5)).containsOnly(0);
            assertThat(pair.b().get(1 + size % 5 + size, 4)).containsOnly(0);
        }
    }

    @Test
    @Requirement({"RDMAP-5.1-08", "DDP-5.2-08"})
    void emptyWriteTouchesNothing() {
        ConnectedPair pair = pair();
        GuardedBuffer target = guarded(pair.b(), 64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        accepted(pair.qpA().write(1, pair.a().buffer(), 0, 0, target.buffer().remote(), 64, SIGNALED));
        pair.a().inbox().takeOk(1);
        pair.barrier();
        target.expectUntouched();
    }

    @Test
    @Requirement({"DDP-5.2-09", "DDP-5.2-10"})
    void emptyWriteNeedsNoValidStag() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.EMPTY_ACCESS_UNCHECKED);
        accepted(pair.qpA()
                .post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                        .wrId(1)
                        .remote(0x1234_5678_9ABCL, 0x7654_3210)
                        .flags(SIGNALED)));
        pair.a().inbox().takeOk(1);
        pair.barrier();
    }

    @Test
    @Requirement({"DDP-5.2-01", "DDP-5.2-03", "DDP-5.2-04", "DDP-5.2-07"})
    void writesMessageOfManySegments() {
        int size = 3 * 1024 * 1024 + 1;
        ConnectedPair pair = pair(PairConfig.defaults().withBuffers(size + 2));
        byte[] data = Patterns.bytes(2, size);
        pair.a().put(1, data);
        accepted(pair.qpA().write(1, pair.a().buffer(), 1, size, pair.b().remote(), 1, SIGNALED));
        pair.a().inbox().takeOk(1);
        pair.barrier();
        assertThat(pair.b().get(1, size)).isEqualTo(data);
        assertThat(pair.b().get(0, 1)).containsExactly(0);
        assertThat(pair.b().get(size + 1, 1)).containsExactly(0);
    }

    @Test
    @Requirement("RDMAP-5.1-07")
    void gathersPiecesIntoOneTarget() {
        ConnectedPair pair = pair();
        int pieces = pair.qpA().config().maxSendSge();
        requires(pieces >= 3, pair.a().verbs(), "takes only " + pieces + " pieces a work request");
        byte[] data = Patterns.bytes(3, 3000);
        pair.a().put(0, data);
        SgList list = SgList.ofCapacity(3)
                .add(pair.a().buffer(), 2000, 1000)
                .add(pair.a().buffer(), 0, 1)
                .add(pair.a().buffer(), 1, 1999);
        accepted(pair.qpA().write(1, list, pair.b().remote(), 10, SIGNALED));
        pair.a().inbox().takeOk(1);
        pair.barrier();
        assertThat(pair.b().get(10, 1000)).isEqualTo(Arrays.copyOfRange(data, 2000, 3000));
        assertThat(pair.b().get(1010, 2000)).isEqualTo(Arrays.copyOfRange(data, 0, 2000));
    }

    @Test
    void inlineWriteCopiesHeapDataWhilePosting() {
        ConnectedPair pair = pair();
        int size = pair.qpA().config().maxInlineBytes();
        requires(size > 0, pair.a().verbs(), "has no inline data");
        byte[] onHeap = Patterns.bytes(4, size);
        byte[] expected = onHeap.clone();
        accepted(pair.qpA()
                .writeInline(1, MemorySegment.ofArray(onHeap), 0, size, pair.b().remote(), 5, SIGNALED));
        Arrays.fill(onHeap, (byte) 0);
        pair.a().inbox().takeOk(1);
        pair.barrier();
        assertThat(pair.b().get(5, size)).isEqualTo(expected);
    }

    @Test
    @Requirement({"RDMAP-5.1-05", "RDMAP-5.1-06", "RDMAP-5.5-13-01"})
    void laterSendShowsThatEarlierWritesArePlaced() {
        ConnectedPair pair = pair();
        for (int round = 0; round < 50; round++) {
            byte[] data = Patterns.bytes(round, 5000);
            pair.a().put(0, data);
            accepted(pair.qpB().recv(round, pair.b().buffer(), 60_000, 8));
            for (int piece = 0; piece < 5; piece++) {
                accepted(pair.qpA()
                        .write(
                                0,
                                pair.a().buffer(),
                                piece * 1000L,
                                1000,
                                pair.b().remote(),
                                piece * 1000L,
                                NONE));
            }
            accepted(pair.qpA().send(round, pair.a().buffer(), 0, 8, SIGNALED));

            pair.b().inbox().takeOk(round);
            assertThat(pair.b().get(0, 5000)).isEqualTo(data);
            pair.a().inbox().takeOk(round);
        }
    }

    @Test
    void targetWritesBackOverTheSameConnection() {
        ConnectedPair pair = pair();
        pair.barrier();
        byte[] data = Patterns.bytes(6, 777);
        pair.b().put(0, data);
        accepted(pair.qpA().recv(1, pair.a().buffer(), 0, 0));
        accepted(pair.qpB().write(2, pair.b().buffer(), 0, 777, pair.a().remote(), 3, NONE));
        accepted(pair.qpB().send(3, pair.b().buffer(), 0, 0, SIGNALED));
        pair.a().inbox().takeOk(1);
        assertThat(pair.a().get(3, 777)).isEqualTo(data);
        pair.b().inbox().takeOk(3);
    }
}
