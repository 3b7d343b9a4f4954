package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongToIntFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;

/** What posting refuses with a status: nothing is posted, and the connection goes on. */
public abstract class PostErrorsConformance extends Conformance {
    /** For subclasses. */
    protected PostErrorsConformance() {}

    @Test
    @Requirement("RDMAP-8.1.2-2-01")
    void fullSendQueueRefusesUntilRequestsComplete() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withDepth(4, 4)));
        int room = pair.qpA().config().maxSendWr();
        if (!pair.a().capabilities().has(Feature.NO_RECEIVER_RETRY)) {
            fillWithSendsThatWait(pair, room);
            return;
        }
        for (int round = 0; round < 3; round++) {
            int posted = 0;
            int status = PostStatus.ACCEPTED;
            // Reads take longer than posting them; where completing alone makes room, some do meanwhile.
            while (status == PostStatus.ACCEPTED && posted < pair.a().queue().capacity()) {
                status = pair.qpA()
                        .read(posted, pair.a().buffer(), 0, 60_000, pair.b().remote(), 0, SIGNALED);
                posted += status == PostStatus.ACCEPTED ? 1 : 0;
            }
            Posts.answered(PostStatus.QUEUE_FULL, status);
            assertThat(posted).isGreaterThanOrEqualTo(room);
            for (int i = 0; i < posted; i++) {
                pair.a().inbox().takeOk(i);
            }
        }
        pair.a().inbox().expectNothing();
        pair.barrier();
    }

    /** Unsignaled requests fill the queue for good: none of them has a completion that could be polled. */
    @Test
    void unsignaledRequestsKeepTheirPlaces() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withDepth(8, 8)));
        guaranteed(pair.a().verbs(), Guarantee.PLACES_UNTIL_POLLED);
        int room = pair.qpA().config().maxSendWr();
        fill(
                wrId -> {
                    int status = pair.qpA()
                            .write(wrId, pair.a().buffer(), 0, 8, pair.b().remote(), 0, NONE);
                    poller().poll();
                    return status;
                },
                room,
                pair.a().keeps(Guarantee.EXACT_DEPTHS));
        pair.a().inbox().expectNothing();
        Posts.answered(
                PostStatus.QUEUE_FULL,
                pair.qpA().write(1, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
    }

    @Test
    void aPlaceIsFreeOnceACompletionIsPolledAndNotBefore() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withDepth(8, 8)));
        guaranteed(pair.a().verbs(), Guarantee.PLACES_UNTIL_POLLED);
        guaranteed(pair.a().verbs(), Guarantee.EXACT_DEPTHS);
        int room = pair.qpA().config().maxSendWr();
        int half = room / 2;
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < room; i++) {
                boolean signaled = i == half - 1 || i == room - 1;
                accepted(
                        pair.qpA().write(i, pair.a().buffer(), 0, 8, pair.b().remote(), 0, signaled ? SIGNALED : NONE));
            }
            Posts.answered(
                    PostStatus.QUEUE_FULL,
                    pair.qpA().write(99, pair.a().buffer(), 0, 8, pair.b().remote(), 0, NONE));
            pair.a().inbox().takeOk(half - 1);
            pair.a().inbox().takeOk(room - 1);
        }
        pair.barrier();
    }

    @Test
    void onePolledCompletionFreesThePlacesUpToItsRequestAlone() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withDepth(8, 8)));
        guaranteed(pair.a().verbs(), Guarantee.PLACES_UNTIL_POLLED);
        guaranteed(pair.a().verbs(), Guarantee.EXACT_DEPTHS);
        poller().ignore(pair.a().inbox());
        int room = pair.qpA().config().maxSendWr();
        int half = room / 2;
        for (int i = 0; i < room; i++) {
            boolean signaled = i == half - 1 || i == room - 1;
            accepted(pair.qpA().write(i, pair.a().buffer(), 0, 8, pair.b().remote(), 0, signaled ? SIGNALED : NONE));
        }
        WorkCompletions one = WorkCompletions.ofCapacity(1);
        assertThat(pair.a().queue().poll(one, Waits.deadline())).isEqualTo(1);
        assertThat(one.get(0).wrId()).isEqualTo(half - 1);
        fill(wrId -> pair.qpA().write(wrId, pair.a().buffer(), 0, 8, pair.b().remote(), 0, NONE), half, true);
    }

    @Test
    void signalingOneInSeveralIsEnough() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withDepth(8, 8)));
        int every = pair.qpA().config().maxSendWr();
        for (int round = 1; round <= 50; round++) {
            for (int i = 1; i < every; i++) {
                accepted(pair.qpA().write(0, pair.a().buffer(), 0, 8, pair.b().remote(), 0, NONE));
            }
            accepted(pair.qpA().write(round, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
            pair.a().inbox().takeOk(round);
        }
        pair.barrier();
    }

    /** Sends to a peer that has no receive yet: none completes before it has. */
    private static void fillWithSendsThatWait(ConnectedPair pair, int room) {
        int posted = fill(
                wrId -> pair.qpA().send(wrId, pair.a().buffer(), 0, 8, SIGNALED),
                room,
                pair.a().keeps(Guarantee.EXACT_DEPTHS));
        for (int i = 0; i < posted; i++) {
            accepted(pair.qpB().recv(i, pair.b().buffer(), 0, 8));
        }
        for (int i = 0; i < posted; i++) {
            pair.a().inbox().takeOk(i);
            pair.b().inbox().takeOk(i);
        }
        pair.barrier();
    }

    /** Posts until the queue is full, and returns how many it took; just {@code room} if it is exact. */
    private static int fill(LongToIntFunction post, int room, boolean exact) {
        int posted = 0;
        int status = PostStatus.ACCEPTED;
        while (status == PostStatus.ACCEPTED && posted < 8 * room) {
            status = post.applyAsInt(posted);
            posted += status == PostStatus.ACCEPTED ? 1 : 0;
        }
        Posts.answered(PostStatus.QUEUE_FULL, status);
        assertThat(posted).isGreaterThanOrEqualTo(room);
        if (exact) {
            assertThat(posted).isEqualTo(room);
        }
        return posted;
    }

    @Test
    void fullReceiveQueueRefusesUntilItsCompletionsArePolled() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairB(config -> config.withDepth(4, 4)));
        int room = pair.qpB().config().maxRecvWr();
        fill(
                wrId -> pair.qpB().recv(wrId, pair.b().buffer(), 0, 8),
                room,
                pair.b().keeps(Guarantee.EXACT_DEPTHS));
        accepted(pair.qpA().send(1, pair.a().buffer(), 0, 8, SIGNALED));
        pair.b().inbox().takeOk(0);
        accepted(pair.qpB().recv(100, pair.b().buffer(), 0, 8));
        pair.a().inbox().takeOk(1);
    }

    @Test
    @ApiCase
    void refusesMorePiecesThanTheQueueWasMadeFor() {
        ConnectedPair pair = pair();
        int sends = pair.qpA().config().maxSendSge();
        int receives = pair.qpA().config().maxRecvSge();
        requires(Math.max(sends, receives) < 256, pair.a().verbs(), "takes as many pieces as a list holds");
        Posts.answered(
                PostStatus.TOO_MANY_SEGMENTS, pair.qpA().send(1, pieces(pair.a().buffer(), sends + 1), SIGNALED));
        Posts.answered(
                PostStatus.TOO_MANY_SEGMENTS,
                pair.qpA().postRecv(2, pieces(pair.a().buffer(), receives + 1)));
        expectNothingPosted(pair);
    }

    @Test
    @ApiCase
    void refusesInlineDataOfAClosedArena() {
        ConnectedPair pair = pair(PairConfig.defaults());
        int size = pair.qpA().config().maxInlineBytes();
        requires(size > 0, pair.a().verbs(), "has no inline data");
        MemorySegment data;
        try (Arena arena = Arena.ofShared()) {
            data = arena.allocate(size);
        }
        Posts.answered(PostStatus.INVALID, pair.qpA().sendInline(1, data, 0, size, SIGNALED));
        Posts.answered(
                PostStatus.INVALID,
                pair.qpA().writeInline(2, data, 0, size, pair.b().remote(), 0, SIGNALED));
        pair.a().inbox().expectNothing();
        pair.barrier();
    }

    @Test
    @ApiCase
    void refusesMoreInlineDataThanTheQueueWasMadeFor() {
        ConnectedPair pair = pair();
        int most = pair.qpA().config().maxInlineBytes();
        MemorySegment data = MemorySegment.ofArray(new byte[most + 1]);
        Posts.answered(PostStatus.INLINE_TOO_LONG, pair.qpA().sendInline(1, data, 0, most + 1, SIGNALED));
        Posts.answered(
                PostStatus.INLINE_TOO_LONG,
                pair.qpA().writeInline(2, data, 0, most + 1, pair.b().remote(), 0, SIGNALED));
        expectNothingPosted(pair);
    }

    @Test
    @ApiCase
    @Requirement("DDP-5.2-02")
    void refusesMessageLongerThanTheDeviceCarries() {
        ConnectedPair pair = pair();
        requires(pair.qpA().config().maxSendSge() >= 2, pair.a().verbs(), "takes one piece a work request");
        RegisteredBuffer buffer = pair.a().buffer();
        long half = 1L << 31;
        SgList list =
                SgList.ofCapacity(2).add(buffer.iova(), half, buffer.lkey()).add(buffer.iova(), half, buffer.lkey());
        Posts.answered(PostStatus.MESSAGE_TOO_LONG, pair.qpA().send(1, list, SIGNALED));
        expectNothingPosted(pair);
    }

    @Test
    @ApiCase
    void refusesSendsButTakesReceivesBeforeItIsConnected() {
        Endpoint side = sideA();
        QueuePair queuePair = side.newQueuePair(config -> config);
        Posts.answered(PostStatus.NOT_CONNECTED, queuePair.send(1, side.buffer(), 0, 8, SIGNALED));
        Posts.answered(PostStatus.NOT_CONNECTED, queuePair.read(1, side.buffer(), 0, 8, side.remote(), 0, SIGNALED));
        accepted(queuePair.recv(2, side.buffer(), 0, 8));
        side.inbox().expectNothing();
    }

    @Test
    void refusesReadsAndAtomicsWhereTheInitiatorDepthIsZero() {
        refusesWhatThePeerAnswers(pair(
                PairConfig.defaults().withConnections(config -> config.withDepths(8, 0), UnaryOperator.identity())));
    }

    @Test
    void refusesReadsAndAtomicsWhereThePeerHasNoResponderResources() {
        refusesWhatThePeerAnswers(pair(
                PairConfig.defaults().withConnections(UnaryOperator.identity(), config -> config.withDepths(0, 8))));
    }

    /** Posts what only the peer's answer completes, each way there is; none may be outstanding from A. */
    private static void refusesWhatThePeerAnswers(ConnectedPair pair) {
        requires(pair.link().a().initiatorDepth() == 0, pair.a().verbs(), "agrees on an initiator depth above 0");
        RegisteredBuffer buffer = pair.a().buffer();
        RemoteBuffer remote = pair.b().remote();
        QueuePair queuePair = pair.qpA();
        Posts.answered(PostStatus.NO_INITIATOR_DEPTH, queuePair.read(1, buffer, 0, 8, remote, 0, SIGNALED));
        Posts.answered(
                PostStatus.NO_INITIATOR_DEPTH,
                queuePair.post(WorkRequest.of(SendOpcode.RDMA_READ)
                        .wrId(2)
                        .local(pieces(buffer, 1))
                        .remote(remote.address(), remote.rkey())
                        .flags(SIGNALED)));
        if (bothHave(pair, Feature.ATOMICS)) {
            Posts.answered(PostStatus.NO_INITIATOR_DEPTH, queuePair.fetchAdd(3, buffer, 0, remote, 0, 1, SIGNALED));
            Posts.answered(PostStatus.NO_INITIATOR_DEPTH, queuePair.cmpSwap(4, buffer, 0, remote, 0, 0, 1, SIGNALED));
        }
        if (bothHave(pair, Feature.MASKED_ATOMICS)) {
            Posts.answered(
                    PostStatus.NO_INITIATOR_DEPTH, queuePair.maskedFetchAdd(5, buffer, 0, remote, 0, 1, 0, SIGNALED));
        }
        Batch batch = queuePair.batch();
        Posts.answered(PostStatus.NO_INITIATOR_DEPTH, batch.read(6, buffer, 0, 8, remote, 0, SIGNALED));
        assertThat(batch.pending()).isZero();
        assertThatThrownBy(() -> PostStatus.check(queuePair.read(7, buffer, 0, 8, remote, 0, SIGNALED)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("initiator depth", "is 0", "initiatorDepth", "responderResources");
        expectNothingPosted(pair);
    }

    /** Tells whether both sides have {@code feature}: a peer without Atomics grants no right to them. */
    private static boolean bothHave(ConnectedPair pair, Feature feature) {
        return pair.a().capabilities().has(feature) && pair.b().capabilities().has(feature);
    }

    @Test
    @ApiCase
    void checkTurnsRefusalIntoException() {
        Endpoint side = sideA();
        QueuePair queuePair = side.newQueuePair(config -> config);
        assertThatThrownBy(() -> PostStatus.check(queuePair.send(1, side.buffer(), 0, 8, SIGNALED)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not connected");
        assertThat(PostStatus.check(queuePair.recv(2, side.buffer(), 0, 8))).isZero();
    }

    private static SgList pieces(RegisteredBuffer buffer, int count) {
        SgList list = SgList.ofCapacity(count);
        for (int i = 0; i < count; i++) {
            list.add(buffer, i, 1);
        }
        return list;
    }

    private static void expectNothingPosted(ConnectedPair pair) {
        pair.a().inbox().expectNothing();
        pair.barrier();
    }
}
