package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Patterns;

/** Requests collected for one doorbell. */
public abstract class BatchConformance extends Conformance {
    /** For subclasses. */
    protected BatchConformance() {}

    @Test
    @Requirement("RDMAP-5.5-13-01")
    void submitsEverythingInPostingOrder() {
        ConnectedPair pair = pair();
        Batch batch = pair.qpA().batch();
        byte[] data = Patterns.bytes(1, 1000);
        pair.a().put(0, data);
        for (int i = 0; i < 20; i++) {
            accepted(pair.qpB().recv(i, pair.b().buffer(), 30_000 + 8L * i, 8));
            accepted(batch.write(
                    100 + i, pair.a().buffer(), i * 50L, 50, pair.b().remote(), i * 50L, NONE));
            accepted(batch.send(200 + i, pair.a().buffer(), i, 8, SIGNALED));
        }
        assertThat(batch.submit()).isEqualTo(40);

        for (int i = 0; i < 20; i++) {
            pair.a().inbox().takeOk(200 + i);
            pair.b().inbox().takeOk(i);
            assertThat(pair.b().get(30_000 + 8L * i, 8)).isEqualTo(pair.a().get(i, 8));
        }
        assertThat(pair.b().get(0, 1000)).isEqualTo(data);
        pair.a().inbox().expectNothing();
    }

    @Test
    void sendsNothingBeforeSubmit() {
        ConnectedPair pair = pair();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().batch().send(2, pair.a().buffer(), 0, 8, SIGNALED));
        pair.b().inbox().expectNothing();
        assertThat(pair.a().inbox().size()).isZero();
        assertThat(pair.qpA().batch().submit()).isEqualTo(1);
        pair.b().inbox().takeOk(1);
        pair.a().inbox().takeOk(2);
    }

    @Test
    @ApiCase
    void discardForgetsWhatWasCollected() {
        ConnectedPair pair = pair();
        Batch batch = pair.qpA().batch();
        accepted(batch.send(1, pair.a().buffer(), 0, 8, SIGNALED));
        accepted(batch.write(2, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
        batch.discard();
        assertThat(batch.submit()).isZero();
        pair.a().inbox().expectNothing();
        pair.barrier();
        assertThat(pair.qpA().batch()).isSameAs(batch);
    }

    @Test
    @ApiCase
    void emptyBatchSubmitsNothing() {
        ConnectedPair pair = pair();
        assertThat(pair.qpA().batch().submit()).isZero();
        pair.barrier();
    }

    @Test
    void inlineDataIsCopiedWhenItIsCollected() {
        ConnectedPair pair = pair();
        requires(pair.qpA().config().maxInlineBytes() >= 16, pair.a().verbs(), "has less than 16 inline bytes");
        byte[] data = Patterns.bytes(2, 16);
        byte[] scratch = data.clone();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 16));
        accepted(pair.qpA().batch().sendInline(2, MemorySegment.ofArray(scratch), 0, 16, SIGNALED));
        java.util.Arrays.fill(scratch, (byte) 0);
        assertThat(pair.qpA().batch().submit()).isEqualTo(1);
        pair.b().inbox().takeOk(1);
        assertThat(pair.b().get(0, 16)).isEqualTo(data);
        pair.a().inbox().takeOk(2);
    }

    @Test
    void batchAndSingleRequestsKeepTheirOrder() {
        ConnectedPair pair = pair();
        for (int i = 0; i < 9; i++) {
            accepted(pair.qpB().recv(i, pair.b().buffer(), 8L * i, 8));
        }
        for (int i = 0; i < 9; i += 3) {
            pair.a().putLong(8L * i, i);
            pair.a().putLong(8L * (i + 1), i + 1);
            pair.a().putLong(8L * (i + 2), i + 2);
            accepted(pair.qpA().send(i, pair.a().buffer(), 8L * i, 8, SIGNALED));
            accepted(pair.qpA().batch().send(i + 1, pair.a().buffer(), 8L * (i + 1), 8, SIGNALED));
            accepted(pair.qpA().batch().send(i + 2, pair.a().buffer(), 8L * (i + 2), 8, SIGNALED));
            assertThat(pair.qpA().batch().submit()).isEqualTo(2);
        }
        for (int i = 0; i < 9; i++) {
            pair.a().inbox().takeOk(i);
            pair.b().inbox().takeOk(i);
            assertThat(pair.b().getLong(8L * i)).isEqualTo(i);
        }
    }

    @Test
    void fullQueueRefusesWhatDoesNotFitAndSubmitsTheRest() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withDepth(4, 4)));
        Batch batch = pair.qpA().batch();
        int room = pair.qpA().config().maxSendWr();
        for (int i = 0; i < room; i++) {
            accepted(batch.write(i, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
        }
        assertThat(batch.write(99, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED))
                .isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(batch.submit()).isEqualTo(room);
        for (int i = 0; i < room; i++) {
            pair.a().inbox().takeOk(i);
        }
        pair.barrier();
    }

    @Test
    void refusedFirstPostDoesNotOpenTheBatch() {
        ConnectedPair pair = pair();
        Batch batch = pair.qpA().batch();
        MemorySegment data = MemorySegment.ofArray(new byte[8]);
        Posts.answered(
                PostStatus.INVALID,
                batch.post(WorkRequest.of(SendOpcode.SEND)
                        .wrId(1)
                        .local(pair.a().buffer().iova(), -1, pair.a().buffer().lkey())
                        .flags(SIGNALED)));
        assertThat(batch.pending()).isZero();
        accepted(pair.qpA().write(2, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
        pair.a().inbox().takeOk(2);

        assertThatThrownBy(() -> batch.post(WorkRequest.of(SendOpcode.SEND)
                        .wrId(3)
                        .inline(data, 4, 8)
                        .flags(SIGNALED)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        accepted(pair.qpA().write(4, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
        pair.a().inbox().takeOk(4);
        assertThat(batch.submit()).isZero();
        pair.barrier();
    }

    @Test
    void everythingArrivesOnceAndInOrderThroughAQueueThatIsFull() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withDepth(4, 4)));
        Batch batch = pair.qpA().batch();
        int all = Math.min(60, pair.qpB().config().maxRecvWr());
        for (int i = 0; i < all; i++) {
            accepted(pair.qpB().recv(i, pair.b().buffer(), 8L * i, 8));
            pair.a().putLong(8L * i, i);
        }
        int collected = 0;
        int completed = 0;
        while (completed < all) {
            while (collected < all && collect(batch, pair, collected)) {
                collected++;
            }
            int before = batch.pending();
            int taken = batch.submit();
            assertThat(batch.pending()).isEqualTo(before - Math.max(0, taken));
            if (taken <= 0 && before > 0) {
                Posts.answered(PostStatus.QUEUE_FULL, taken);
            }
            pair.a().inbox().takeOk(completed);
            completed++;
        }
        assertThat(batch.pending()).isZero();
        for (int i = 0; i < all; i++) {
            pair.b().inbox().takeOk(i);
            assertThat(pair.b().getLong(8L * i)).isEqualTo(i);
        }
        pair.a().inbox().expectNothing();
        pair.b().inbox().expectNothing();
    }

    private static boolean collect(Batch batch, ConnectedPair pair, int number) {
        int status = batch.send(number, pair.a().buffer(), 8L * number, 8, SIGNALED);
        if (status != PostStatus.ACCEPTED) {
            Posts.answered(PostStatus.QUEUE_FULL, status);
        }
        return status == PostStatus.ACCEPTED;
    }

    @Test
    void submitAllHandsEverythingOver() {
        ConnectedPair pair = pair();
        Batch batch = pair.qpA().batch();
        assertThat(batch.submitAll()).isZero();
        for (int i = 0; i < 3; i++) {
            accepted(batch.write(i, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
        }
        assertThat(batch.pending()).isEqualTo(3);
        assertThat(batch.submitAll()).isEqualTo(3);
        assertThat(batch.pending()).isZero();
        for (int i = 0; i < 3; i++) {
            pair.a().inbox().takeOk(i);
        }
    }

    @Test
    @ApiCase
    void namedOperationsCheckBoundsInBatchesToo() {
        ConnectedPair pair = pair();
        long end = pair.a().buffer().length();
        assertThatThrownBy(() -> pair.qpA().batch().send(1, pair.a().buffer(), end, 1, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(pair.qpA().batch().submit()).isZero();
        pair.barrier();
    }
}
