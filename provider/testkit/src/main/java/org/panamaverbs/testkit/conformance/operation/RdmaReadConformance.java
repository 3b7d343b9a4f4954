package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.FENCE;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Patterns;

/** RDMA Reads of every size, many at once, and what is ordered with them. */
public abstract class RdmaReadConformance extends Conformance {
    /** For subclasses. */
    protected RdmaReadConformance() {}

    @Test
    @Requirement({"RDMAP-5.2.1-09", "RDMAP-5.2.1-10", "RDMAP-5.2.2-03", "RDMAP-4.4-04", "RDMAP-3.2-06"})
    void readsEverySizeAtOddOffsets() {
        ConnectedPair pair = pair();
        for (int size : new int[] {1, 2, 3, 4, 7, 8, 9, 255, 256, 1400, 1448, 1500, 4096, 9000, 40_000}) {
            byte[] data = Patterns.bytes(size, size);
            pair.b().put(1 + size % 5, data);
            pair.a().put(0, new byte[size + 16]);
            accepted(pair.qpA()
                    .read(size, pair.a().buffer(), 1 + size % 7, size, pair.b().remote(), 1 + size % 5, SIGNALED));

            Completion read = pair.a().inbox().takeOk(size);
            assertThat(read.opcode()).isEqualTo(WcOpcode.RDMA_READ);
            assertThat(read.byteCount()).isEqualTo(size);
            assertThat(pair.a().get(1 + size % 7, size)).isEqualTo(data);
            assertThat(pair.a().get(0, 1 + size % 7)).containsOnly(0);
            assertThat(pair.a().get(1 + size % 7 + size, 4)).containsOnly(0);
        }
    }

    @Test
    @Requirement({"RDMAP-3.2-05", "RDMAP-5.2.1-03"})
    void readIsInvisibleToTheSource() {
        ConnectedPair pair = pair();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().read(2, pair.a().buffer(), 0, 100, pair.b().remote(), 0, SIGNALED));
        pair.a().inbox().takeOk(2);
        pair.b().inbox().expectNothing();

        accepted(pair.qpA().send(3, pair.a().buffer(), 0, 8, SIGNALED));
        pair.b().inbox().takeOk(1);
        pair.a().inbox().takeOk(3);
    }

    @Test
    @Requirement({"RDMAP-5.2.1-11", "RDMAP-5.2.1-14"})
    void emptyReadCompletes() {
        ConnectedPair pair = pair();
        accepted(pair.qpA().read(1, pair.a().buffer(), 10, 0, pair.b().remote(), 10, SIGNALED));
        assertThat(pair.a().inbox().takeOk(1).byteCount()).isZero();
        assertThat(pair.a().get(0, 64)).containsOnly(0);
    }

    @Test
    @Requirement({"RDMAP-5.2.1-13", "RDMAP-5.2.1-14", "SEC-6.3.5-02"})
    void emptyReadNeedsNoValidStag() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.EMPTY_ACCESS_UNCHECKED);
        accepted(pair.qpA()
                .post(WorkRequest.of(SendOpcode.RDMA_READ)
                        .wrId(1)
                        .local(pair.a().buffer().iova(), 0, pair.a().buffer().lkey())
                        .remote(0x1234_5678_9ABCL, 0x7654_3210)
                        .flags(SIGNALED)));
        pair.a().inbox().takeOk(1);
        pair.barrier();
    }

    @Test
    @Requirement({"RDMAP-5.2-01", "RDMAP-5.2.1-08", "RDMAP-5.2.2-07", "DDP-5.2-03", "DDP-5.2-04"})
    void readsMessageOfManySegments() {
        int size = 3 * 1024 * 1024 + 1;
        ConnectedPair pair = pair(PairConfig.defaults().withBuffers(size + 2));
        byte[] data = Patterns.bytes(2, size);
        pair.b().put(1, data);
        accepted(pair.qpA().read(1, pair.a().buffer(), 1, size, pair.b().remote(), 1, SIGNALED));
        assertThat(pair.a().inbox().takeOk(1).byteCount()).isEqualTo(size);
        assertThat(pair.a().get(1, size)).isEqualTo(data);
    }

    @Test
    @Requirement({
        "RDMAP-5.2.1-06",
        "RDMAP-5.2.1-07",
        "RDMAP-5.2.2-02",
        "RDMAP-5.2.2-05",
        "RDMAP-5.5-11-01",
        "RDMAP-5.5-20-01",
        "RDMAP-5.5-20-02",
        "RDMAP-6.1-03",
        "RDMAP-6.1-04"
    })
    void manyMoreReadsThanMayBeOutstandingCompleteInOrder() {
        ConnectedPair pair = pair(PairConfig.defaults()
                .withConnections(config -> config.withDepths(2, 2), config -> config.withDepths(2, 2)));
        byte[] data = Patterns.bytes(3, 64 * 500);
        pair.b().put(0, data);
        for (int i = 0; i < 64; i++) {
            accepted(pair.qpA()
                    .read(i, pair.a().buffer(), i * 500L, 500, pair.b().remote(), i * 500L, SIGNALED));
        }
        for (int i = 0; i < 64; i++) {
            pair.a().inbox().takeOk(i);
        }
        assertThat(pair.a().get(0, data.length)).isEqualTo(data);
    }

    @Test
    @Requirement({"RDMAP-5.5-12-01", "RDMAP-5.5-17-01"})
    void readSeesEarlierWriteOfTheSameQueue() {
        ConnectedPair pair = pair();
        for (int round = 0; round < 30; round++) {
            byte[] data = Patterns.bytes(round, 3000);
            pair.a().put(0, data);
            accepted(pair.qpA().write(1, pair.a().buffer(), 0, 3000, pair.b().remote(), 100, NONE));
            accepted(
                    pair.qpA().read(2, pair.a().buffer(), 10_000, 3000, pair.b().remote(), 100, SIGNALED));
            pair.a().inbox().takeOk(2);
            assertThat(pair.a().get(10_000, 3000)).isEqualTo(data);
        }
    }

    @Test
    @Requirement({"RDMAP-5.5-15-01", "RDMAP-5.5-19-01"})
    void completionsKeepPostingOrderAcrossKinds() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.COMPLETION_ORDER);
        for (int i = 0; i < 10; i++) {
            accepted(pair.qpB().recv(1000 + i, pair.b().buffer(), 60_000, 8));
        }
        for (int i = 0; i < 30; i += 3) {
            accepted(pair.qpA().read(i, pair.a().buffer(), 0, 20_000, pair.b().remote(), 0, SIGNALED));
            accepted(pair.qpA()
                    .write(i + 1, pair.a().buffer(), 30_000, 8, pair.b().remote(), 40_000, SIGNALED));
            accepted(pair.qpA().send(i + 2, pair.a().buffer(), 30_000, 8, SIGNALED));
        }
        for (int i = 0; i < 30; i++) {
            pair.a().inbox().takeOk(i);
        }
        pair.b().inbox().take(10);
    }

    @Test
    @Requirement("RDMAP-5.5-12-02")
    void fencedWriteCarriesWhatTheReadBeforeItBrought() {
        ConnectedPair pair = pair();
        for (int round = 0; round < 30; round++) {
            byte[] data = Patterns.bytes(round, 8000);
            pair.b().put(0, data);
            accepted(pair.qpA().read(1, pair.a().buffer(), 0, 8000, pair.b().remote(), 0, NONE));
            accepted(pair.qpA().write(2, pair.a().buffer(), 0, 8000, pair.b().remote(), 20_000, FENCE | SIGNALED));
            pair.a().inbox().takeOk(2);
            pair.barrier();
            assertThat(pair.b().get(20_000, 8000)).isEqualTo(data);
        }
    }

    @Test
    void fencedSendCarriesWhatTheReadBeforeItBrought() {
        ConnectedPair pair = pair();
        for (int round = 0; round < 30; round++) {
            byte[] data = Patterns.bytes(round, 64);
            pair.b().put(0, data);
            accepted(pair.qpB().recv(1, pair.b().buffer(), 1000, 64));
            accepted(pair.qpA().read(2, pair.a().buffer(), 0, 64, pair.b().remote(), 0, SIGNALED));
            accepted(pair.qpA().send(3, pair.a().buffer(), 0, 64, FENCE | SIGNALED));
            pair.a().inbox().takeAllOk(2, 3);
            pair.b().inbox().takeOk(1);
            assertThat(pair.b().get(1000, 64)).isEqualTo(data);
        }
    }

    @Test
    @Requirement("RDMAP-5.2.1-08")
    void scattersIntoAsManyPiecesAsTheDeviceSays() {
        ConnectedPair pair = pair();
        pair.b().put(0, Patterns.bytes(9, 100));
        SgList two = SgList.ofCapacity(2)
                .add(pair.a().buffer(), 500, 60)
                .add(pair.a().buffer(), 0, 40);
        long source = pair.b().remote().address();
        int rkey = pair.b().buffer().rkey();
        int status = pair.qpA()
                .post(WorkRequest.of(SendOpcode.RDMA_READ)
                        .wrId(1)
                        .local(two)
                        .remote(source, rkey)
                        .flags(SIGNALED));
        if (Math.min(pair.a().capabilities().maxSgeRead(), pair.qpA().config().maxSendSge()) >= 2) {
            accepted(status);
            pair.a().inbox().takeOk(1);
            assertThat(pair.a().get(500, 60)).isEqualTo(pair.b().get(0, 60));
            assertThat(pair.a().get(0, 40)).isEqualTo(pair.b().get(60, 40));
        } else {
            assertThat(status).isIn(PostStatus.TOO_MANY_SEGMENTS, PostStatus.INVALID);
            pair.a().inbox().expectNothing();
        }
        pair.barrier();
    }

    @Test
    @Requirement("RDMAP-5.5-2-01")
    void bothSidesReadAtOnce() {
        ConnectedPair pair = pair();
        pair.barrier();
        byte[] ofA = Patterns.bytes(11, 20_000);
        byte[] ofB = Patterns.bytes(12, 20_000);
        pair.a().put(0, ofA);
        pair.b().put(0, ofB);
        for (int i = 0; i < 10; i++) {
            accepted(pair.qpA()
                    .read(i, pair.a().buffer(), 30_000, 20_000, pair.b().remote(), 0, SIGNALED));
            accepted(pair.qpB()
                    .read(i, pair.b().buffer(), 30_000, 20_000, pair.a().remote(), 0, SIGNALED));
        }
        for (int i = 0; i < 10; i++) {
            pair.a().inbox().takeOk(i);
            pair.b().inbox().takeOk(i);
        }
        assertThat(pair.a().get(30_000, 20_000)).isEqualTo(ofB);
        assertThat(pair.b().get(30_000, 20_000)).isEqualTo(ofA);
    }
}
