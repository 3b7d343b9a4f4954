package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.ReceiveQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Resources;

/** Lists of receives as a driver sees them, and what is posted of them where it refuses one. */
class ReceiveListOverStubTest extends OverStub {
    private static final int EIO = 5;
    private static final int MINUS_ONE = -1; // of mthca for a full queue
    private static final int PIECES = 3;
    private static final int DEPTH = 1000;

    private final Resources resources = new Resources();

    /** Which call of libibverbs takes the receives of a queue. */
    enum Kind {
        OWN("ibv_post_recv"),
        SHARED("ibv_post_srq_recv");

        final String call;

        Kind(String call) {
            this.call = call;
        }
    }

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.SHARED_RECEIVE_QUEUE));
    }

    @AfterEach
    void close() {
        resources.close();
    }

    /** Makes a queue, of which nothing is posted yet. */
    private ReceiveQueue queue(Kind kind) {
        ReceiveQueue queue = kind == Kind.SHARED
                ? resources.add(verbs.domain()
                        .sharedReceiveQueue(SharedReceiveQueueConfig.of(DEPTH).withSge(PIECES)))
                : queuePair();
        Stub.receiveRoom(-1);
        return queue;
    }

    private IbvQueuePair queuePair() {
        QueuePairConfig config = QueuePairConfig.of(verbs.domain(), verbs.queue(1024));
        return verbs.queuePair(config.withDepth(16, DEPTH).withSge(1, PIECES));
    }

    private static ReceiveList list(int count) {
        ReceiveList list = ReceiveList.ofCapacity(count, PIECES + 1);
        for (int i = 0; i < count; i++) {
            list.add(i, 0x1000, 100 + i, 7);
        }
        return list;
    }

    @ParameterizedTest
    @CsvSource({"OWN, 1, 1", "OWN, 2, 1", "OWN, 128, 1", "OWN, 129, 2", "SHARED, 128, 1", "SHARED, 300, 3"})
    void aListIsAChain(Kind kind, int count, int calls) {
        ReceiveQueue queue = queue(kind);
        assertThat(queue.recv(list(count))).isEqualTo(count);
        assertThat(Stub.receiveCalls()).isEqualTo(calls);
        expectPosted(count);
        for (int i = 0; i < count; i++) {
            assertThat(Stub.receivePieces(i)).isEqualTo(1);
            assertThat(Stub.receiveOctets(i)).isEqualTo(100 + i);
        }
    }

    @ParameterizedTest
    @CsvSource({"OWN", "SHARED"})
    void aPartIsAChainThatEndsWithIt(Kind kind) {
        ReceiveQueue queue = queue(kind);
        ReceiveList list = list(20);
        assertThat(queue.recv(list)).isEqualTo(20);
        Stub.receiveRoom(-1);
        assertThat(queue.postRecv(list, 7, 3)).isEqualTo(3);
        assertThat(posted()).containsExactly(7, 8, 9);
        assertThat(queue.postRecv(list, 7, 0)).isZero();
        assertThat(Stub.receiveCalls()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"OWN", "SHARED"})
    void emptyPiecesAreLeftOut(Kind kind) {
        ReceiveQueue queue = queue(kind);
        SgList pieces = SgList.ofCapacity(PIECES).add(1, 5, 0).add(2, 0, 0).add(3, 6, 0);
        ReceiveList list = ReceiveList.ofCapacity(3, PIECES);
        list.add(0, pieces).add(1, SgList.ofCapacity(1)).add(2, 0x1000, 0, 7);
        assertThat(queue.recv(list)).isEqualTo(3);
        assertThat(IntStream.range(0, 3).map(Stub::receivePieces)).containsExactly(2, 0, 0);
        assertThat(Stub.receiveOctets(0)).isEqualTo(11);
    }

    @ParameterizedTest
    @CsvSource({"OWN, 6", "SHARED, 6", "OWN, 128", "OWN, 130", "SHARED, 200"})
    void aQueueWithRoomForAPartTakesThat(Kind kind, int room) {
        ReceiveQueue queue = queue(kind);
        ReceiveList list = list(300);
        Stub.receiveRoom(room);
        assertThat(queue.recv(list)).isEqualTo(room);
        expectPosted(room);
        assertThat(queue.postRecv(list, room, 300 - room)).isEqualTo(PostStatus.QUEUE_FULL);
        expectPosted(room);
        Stub.receiveRoom(-1);
        assertThat(queue.postRecv(list, room, 300 - room)).isEqualTo(300 - room);
        assertThat(posted()).containsExactly(IntStream.range(room, 300).toArray());
    }

    @ParameterizedTest
    @CsvSource({"OWN, 0", "OWN, 3", "SHARED, 3", "OWN, 127", "OWN, 128", "SHARED, 150"})
    void aReceiveThatTheDriverRefusesIsNotPostedAndTheRestNeither(Kind kind, int good) {
        ReceiveQueue queue = queue(kind);
        ReceiveList list = list(200);
        if (good > 0) {
            Stub.failAfter(good, "receive", Errno.EINVAL);
            assertThat(queue.recv(list)).isEqualTo(good);
            expectPosted(good);
        }
        Stub.fail("receive", Errno.EINVAL, 1);
        assertThat(queue.postRecv(list, good, 200 - good)).isEqualTo(PostStatus.INVALID);
        expectPosted(good);
        assertThat(queue.postRecv(list, good, 200 - good)).isEqualTo(200 - good);
        expectPosted(200);
    }

    @ParameterizedTest
    @CsvSource({"OWN", "SHARED"})
    void aReceiveOfTooManyPiecesIsNotPostedAndTheRestNeither(Kind kind) {
        ReceiveQueue queue = queue(kind);
        SgList tooMany = SgList.ofCapacity(PIECES + 1);
        while (tooMany.count() < tooMany.capacity()) {
            tooMany.add(1, 1, 1);
        }
        ReceiveList list = ReceiveList.ofCapacity(3, PIECES + 1);
        list.add(0, 0x1000, 100, 7).add(1, tooMany).add(2, 0x1000, 100, 7);
        assertThat(queue.recv(list)).isEqualTo(1);
        assertThat(queue.postRecv(list, 1, 2)).isEqualTo(PostStatus.TOO_MANY_SEGMENTS);
        assertThat(Stub.receiveCalls()).as("the driver hears nothing of it").isEqualTo(1);
        assertThat(queue.postRecv(list, 2, 1)).isEqualTo(1);
        assertThat(posted()).containsExactly(0, 2);
    }

    @ParameterizedTest
    @CsvSource({"OWN, -1", "OWN, 12", "SHARED, -1", "SHARED, 12"})
    void aDriverThatRefusesAllFindsTheQueueFull(Kind kind, int errno) {
        ReceiveQueue queue = queue(kind);
        Stub.fail(kind.call, errno, 1);
        assertThat(queue.recv(list(3))).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(Stub.receives()).isZero();
        assertThat(queue.recv(list(3))).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"OWN", "SHARED"})
    void anErrorOfTheDriverIsAStatus(Kind kind) {
        ReceiveQueue queue = queue(kind);
        Stub.fail(kind.call, EIO, 1);
        assertThat(PostStatus.errno(queue.recv(list(3)))).isEqualTo(EIO);
        Stub.fail(kind.call, EIO, 1);
        assertThatThrownBy(() -> queue.recvAll(list(3)))
                .hasMessageContaining("0 of 3 receives of the list were posted")
                .hasMessageContaining("errno 5");
    }

    @ParameterizedTest
    @ValueSource(ints = {MINUS_ONE, Errno.EOPNOTSUPP})
    void aDriverThatNamesNoReceiveTookNone(int errno) {
        ReceiveQueue queue = queue(Kind.OWN);
        assertThat(queue.recv(list(3))).isEqualTo(3);
        Stub.failAfter(2, "receive", Errno.ENOMEM); // leaves the name of the third behind
        assertThat(queue.recv(list(3))).isEqualTo(2);
        Stub.fail("nameless receive", errno, 1);
        assertThat(queue.recv(list(3))).isNegative();
        assertThat(Stub.receives()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"OWN", "SHARED"})
    void closedQueuesTakeNothing(Kind kind) throws Exception {
        ReceiveQueue queue = queue(kind);
        assertThat(queue.recv(list(3))).isEqualTo(3);
        ((AutoCloseable) queue).close();
        assertThatThrownBy(() -> queue.recv(list(3))).isInstanceOf(IllegalStateException.class);
        assertThat(Stub.receives()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailedQueuePairTakesLists(boolean taken) {
        IbvQueuePair queuePair = queuePair();
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        Stub.receiveRoom(taken ? 2 : 0);
        assertThat(queuePair.recv(list(3))).isEqualTo(taken ? 2 : PostStatus.QUEUE_FULL);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    private static int[] posted() {
        return IntStream.range(0, Stub.receives()).map(Stub::receiveId).toArray();
    }

    private static void expectPosted(int count) {
        assertThat(posted()).containsExactly(IntStream.range(0, count).toArray());
    }
}
