package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.util.LongTransfer;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.random.Patterns;

/** Transfers in pieces, through a send queue that has fewer places than there are pieces. */
public abstract class LongTransferConformance extends Conformance {
    private static final int BYTES = 50_001;
    private static final int PIECE = 1_000;
    private static final int PIECES = 51;
    private static final int DEPTH = 8;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);

    /** For subclasses. */
    protected LongTransferConformance() {}

    /** A connection whose sends at A complete in a queue that the test polls by itself. */
    private final class Narrow {
        final ConnectedPair pair = pair();
        final CompletionQueue queue = pair.a().newQueue(CompletionQueueConfig.of(64));
        final Link link = pair.connect(
                pair.a()
                        .newQueuePair(config -> QueuePairConfig.of(pair.a().domain(), queue)
                                .withDepth(DEPTH, DEPTH)
                                .withSge(1, 1)
                                .withInline(0)),
                pair.b().newQueuePair(config -> config));
        final QueuePair queuePair = link.qpA();

        /** Drives {@code transfer} to its end and returns how many completions it had. */
        int run(LongTransfer transfer) {
            return runUntil(transfer, transfer::isCompleted);
        }

        int runUntil(LongTransfer transfer, BooleanSupplier end) {
            AtomicInteger taken = new AtomicInteger();
            poller().await("the pieces of " + transfer, () -> {
                int status = transfer.post(queuePair);
                assertThat(PostStatus.text(status))
                        .isIn(PostStatus.text(PostStatus.ACCEPTED), PostStatus.text(PostStatus.QUEUE_FULL));
                int count = queue.poll(completions);
                for (int i = 0; i < count; i++) {
                    assertThat(transfer.complete(completions.get(i))).isTrue();
                    taken.incrementAndGet();
                }
                return end.getAsBoolean();
            });
            return taken.get();
        }
    }

    @Test
    void writesAllPiecesThroughANarrowQueue() {
        Narrow narrow = new Narrow();
        byte[] data = Patterns.bytes(1, BYTES);
        narrow.pair.a().put(3, data);

        LongTransfer transfer = LongTransfer.write(
                7, narrow.pair.a().buffer(), 3, BYTES, narrow.pair.b().remote(), 5, PIECE);
        assertThat(transfer.isCompleted()).isFalse();

        assertThat(narrow.run(transfer)).isEqualTo(PIECES);
        assertThat(transfer.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(transfer.completedBytes()).isEqualTo(BYTES);
        narrow.pair.b().put(0, new byte[5]);
        accepted(narrow.link.qpB().recv(8, narrow.pair.b().buffer(), 60_000, 0));
        accepted(narrow.queuePair.send(9, narrow.pair.a().buffer(), 0, 0, SIGNALED));
        narrow.pair.b().inbox().takeOk(8);
        assertThat(narrow.pair.b().get(5, BYTES)).isEqualTo(data);
        assertThat(narrow.pair.b().get(5 + BYTES, 100)).containsOnly(0);
    }

    @Test
    void readsAllPiecesThroughANarrowQueue() {
        Narrow narrow = new Narrow();
        byte[] data = Patterns.bytes(2, BYTES);
        narrow.pair.b().put(11, data);

        LongTransfer transfer = LongTransfer.read(
                7, narrow.pair.a().buffer(), 2, BYTES, narrow.pair.b().remote(), 11, PIECE);

        assertThat(narrow.run(transfer)).isEqualTo(PIECES);
        assertThat(narrow.pair.a().get(2, BYTES)).isEqualTo(data);
        assertThat(narrow.pair.a().get(2 + BYTES, 100)).containsOnly(0);
    }

    @Test
    @ApiCase
    void emptyTransferHasOneEmptyPiece() {
        Narrow narrow = new Narrow();

        LongTransfer transfer = LongTransfer.write(
                7, narrow.pair.a().buffer(), 0, 0, narrow.pair.b().remote(), 0, PIECE);

        assertThat(narrow.run(transfer)).isEqualTo(1);
        assertThat(transfer.completedBytes()).isZero();
    }

    @Test
    @ApiCase
    void failureOfAPieceEndsTheTransfer() {
        Narrow narrow = new Narrow();
        RemoteBuffer part = RemoteBuffer.of(
                narrow.pair.b().remote().rkey() ^ 0x5555_5500,
                narrow.pair.b().remote().address(),
                BYTES,
                Access.mask(Access.REMOTE_READ));

        LongTransfer transfer = LongTransfer.read(7, narrow.pair.a().buffer(), 0, BYTES, part, 0, PIECE);

        // Where Reads behind one that failed never complete, the transfer tells of its failure alone.
        boolean flushes = narrow.pair.a().keeps(Guarantee.FLUSH_AFTER_FAILURE);
        BooleanSupplier end = flushes ? transfer::isCompleted : () -> transfer.status() != WcStatus.SUCCESS;
        assertThat(narrow.runUntil(transfer, end)).isLessThan(PIECES);
        assertThat(transfer.status()).isNotEqualTo(WcStatus.SUCCESS);
    }

    @Test
    @ApiCase
    void refusesWhatIsBeyondEitherBufferOrHasNoPieces() {
        Narrow narrow = new Narrow();
        var local = narrow.pair.a().buffer();
        RemoteBuffer remote = narrow.pair.b().remote();
        long end = local.length();
        assertThatThrownBy(() -> LongTransfer.write(1, local, 1, end, remote, 0, PIECE))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> LongTransfer.read(1, local, 0, end, remote, 1, PIECE))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> LongTransfer.write(1, local, 0, -1, remote, 0, PIECE))
                .isInstanceOf(IndexOutOfBoundsException.class);
        RemoteBuffer readable = narrow.pair.b().buffer().remote(0, 64, Access.REMOTE_READ);
        assertThatThrownBy(() -> LongTransfer.write(1, local, 0, 64, readable, 0, PIECE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_WRITE");
        assertThatThrownBy(() -> LongTransfer.write(1, local, 0, 64, remote, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 0");
    }
}
