package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.panamaverbs.api.QueuePairType.UD;
import static org.panamaverbs.api.QueuePairType.XRC_SEND;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;

/** What a driver has stored counts as posted, whatever it answers, and what it has not stored does not. */
class RefusedPostsOverStubTest extends OverStub {
    private static final int INLINE = 64;
    private static final int PAGE = 4096;
    private static final int EAGAIN = 11; // asm-generic/errno-base.h
    private static final int MINUS_ONE = -1; // of siw for write(2), of mthca for a full queue

    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);
    private IbvCompletionQueue queue;
    private IbvQueuePair queuePair;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.ATOMICS));
    }

    @BeforeEach
    void open() {
        queue = verbs.queue(1024);
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD", "RAW_PACKET", "XRC_SEND"})
    void eachTypePostsWhatItListsAndRefusesTheRest(QueuePairType type) {
        IbvQueuePair made = verbs.queuePair(
                QueuePairConfig.of(verbs.domain(), queue).withType(type).withDepth(16, type == XRC_SEND ? 0 : 16));
        for (SendOpcode opcode : List.of(SendOpcode.SEND, SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ)) {
            Throwable refusal = catchThrowable(() -> made.post(WorkRequest.of(opcode)));
            if (!type.sendOpcodes().contains(opcode)) {
                assertThat(refusal)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(
                                "is " + type + " and cannot post " + opcode + ", only " + type.sendOpcodes());
            } else if (type == UD || type == XRC_SEND) {
                assertThat(refusal)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("is " + type + " and posts " + type.sendOpcodes());
            } else {
                assertThat(refusal).isNull();
            }
        }
        made.close();
        assertThatThrownBy(() -> made.post(WorkRequest.of(SendOpcode.RDMA_READ)))
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {MINUS_ONE, Errno.EINVAL, Errno.ENOMEM, Errno.EINTR, EAGAIN})
    void requestWhoseDoorbellFailsIsPosted(int errno) {
        Stub.fail("doorbell", errno, 1);
        assertThat(write(queuePair, 7)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(write(queuePair, 8)).isEqualTo(PostStatus.ACCEPTED);
        assertCompleted(7, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {MINUS_ONE, Errno.EINVAL, Errno.ENOMEM, Errno.EINTR, EAGAIN})
    void batchWhoseDoorbellFailsIsPosted(int errno) {
        Batch batch = queuePair.batch();
        assertThat(write(batch, 7)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(write(batch, 8)).isEqualTo(PostStatus.ACCEPTED);
        Stub.fail("doorbell", errno, 1);
        assertThat(batch.submit()).isEqualTo(2);
        assertThat(batch.submit()).isZero();
        assertThat(write(queuePair, 9)).isEqualTo(PostStatus.ACCEPTED);
        assertCompleted(7, 8, 9);
    }

    @Test
    void requestThatADriverRefusesByMinusOneIsNotPosted() {
        Stub.fail("ibv_post_send", MINUS_ONE, 1);
        assertThat(write(queuePair, 7)).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(write(queuePair, 7)).isEqualTo(PostStatus.ACCEPTED);
        assertCompleted(7);
    }

    @Test
    void batchThatADriverRefusesByMinusOneIsNotPosted() {
        Batch batch = queuePair.batch();
        assertThat(write(batch, 7)).isEqualTo(PostStatus.ACCEPTED);
        Stub.fail("ibv_post_send", MINUS_ONE, 1);
        assertThat(batch.submit()).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(batch.submit()).isEqualTo(1);
        assertCompleted(7);
    }

    @Test
    void receiveThatADriverRefusesByMinusOneFindsTheQueueFull() {
        Stub.fail("ibv_post_recv", MINUS_ONE, 1);
        assertThat(queuePair.postRecv(7, 0, 0, 0)).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(queuePair.postRecv(7, 0, 0, 0)).isEqualTo(PostStatus.ACCEPTED);
    }

    /** As erdma_post_send() answers with EIO and c4iw_post_send() with EINVAL, and the same of receives. */
    @ParameterizedTest
    @ValueSource(ints = {-Errno.EIO, -Errno.EINVAL})
    void driverThatTakesNothingOfAFailedQueuePairFindsItNotConnected(int errno) {
        Stub.fail("ibv_post_send", errno, 1);
        assertThat(write(queuePair, 7)).isNotEqualTo(PostStatus.NOT_CONNECTED).isNegative();
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        Stub.fail("ibv_post_send", errno, 1);
        assertThat(write(queuePair, 7)).isEqualTo(PostStatus.NOT_CONNECTED);
        Batch batch = queuePair.batch();
        assertThat(write(batch, 8)).isEqualTo(PostStatus.ACCEPTED);
        Stub.fail("ibv_post_send", errno, 1);
        assertThat(batch.submit()).isEqualTo(PostStatus.NOT_CONNECTED);
        batch.discard();
        Stub.fail("ibv_post_recv", errno, 1);
        assertThat(queuePair.postRecv(9, 0, 0, 0)).isEqualTo(PostStatus.NOT_CONNECTED);
        ReceiveList list = ReceiveList.ofCapacity(1, 1);
        list.add(10, 0, 0, 0);
        Stub.fail("ibv_post_recv", errno, 1);
        assertThat(queuePair.postRecv(list, 0, 1)).isEqualTo(PostStatus.NOT_CONNECTED);
        Stub.fail("ibv_post_send", Errno.ENOMEM, 1);
        assertThat(write(queuePair, 7)).isEqualTo(PostStatus.QUEUE_FULL);
    }

    @Test
    void refusalIsForgottenByTheNextPost() {
        Stub.fail("ibv_post_send", Errno.ENOMEM, 1);
        assertThat(write(queuePair, 7)).isEqualTo(PostStatus.QUEUE_FULL);
        Stub.fail("doorbell", Errno.EINVAL, 1);
        assertThat(write(queuePair, 8)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(write(queuePair, 9)).isEqualTo(PostStatus.ACCEPTED);
        assertCompleted(8, 9);
    }

    @Test
    void readsAndAtomicsAreRefusedWhereTheInitiatorDepthIsZero() {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.MAX_RD_ATOMIC, 0));
        assertThat(read(queuePair)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        assertThat(fetchAdd(queuePair)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        Batch batch = queuePair.batch();
        assertThat(read(batch)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        assertThat(fetchAdd(batch)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        assertThat(batch.pending()).isZero();
        assertThat(write(queuePair, 7)).isEqualTo(PostStatus.ACCEPTED);
        assertCompleted(7);
    }

    @Test
    void initiatorDepthIsUnknownAfterReset() {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.MAX_RD_ATOMIC, 0));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        assertThat(read(queuePair)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(fetchAdd(queuePair)).isEqualTo(PostStatus.ACCEPTED);
    }

    private static int read(SendQueue to) {
        return to.post(WorkRequest.of(SendOpcode.RDMA_READ).wrId(1).flags(SendFlag.SIGNALED));
    }

    private static int fetchAdd(SendQueue to) {
        return to.post(WorkRequest.of(SendOpcode.FETCH_ADD)
                .wrId(2)
                .local(0, Long.BYTES, 0)
                .add(1)
                .flags(SendFlag.SIGNALED));
    }

    @Test
    void inlineDataOfAClosedArenaIsInvalid() {
        MemorySegment data;
        try (Arena arena = Arena.ofShared()) {
            data = arena.allocate(INLINE);
        }
        assertInvalid(data);
    }

    @Test
    void inlineDataOfATruncatedFileIsInvalid(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("data");
        Files.write(file, new byte[PAGE]);
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment data = channel.map(FileChannel.MapMode.READ_WRITE, 0, PAGE, arena);
            channel.truncate(0);
            assertInvalid(data);
        }
    }

    private void assertInvalid(MemorySegment data) {
        IbvQueuePair its =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withInline(INLINE));
        its.modify(QueuePairAttributes.to(QueuePairState.RTS));
        assertThat(its.sendInline(7, data, 0, INLINE, SendFlag.SIGNALED)).isEqualTo(PostStatus.INVALID);
        assertThat(its.batch().sendInline(8, data, 0, INLINE, SendFlag.SIGNALED))
                .isEqualTo(PostStatus.INVALID);
        assertThat(write(its, 9)).isEqualTo(PostStatus.ACCEPTED);
        assertCompleted(9);
    }

    private static int write(SendQueue to, long wrId) {
        return to.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(wrId).flags(SendFlag.SIGNALED));
    }

    private void assertCompleted(long... wrIds) {
        int count = queue.poll(completions);
        long[] found = new long[count];
        for (int i = 0; i < count; i++) {
            found[i] = completions.get(i).wrId();
        }
        assertThat(found).containsExactly(wrIds);
    }
}
