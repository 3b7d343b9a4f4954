package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.FENCE;
import static org.panamaverbs.api.SendFlag.INLINE;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.PlacementType;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** Atomic writes and flushes, by queue pairs of ibv_create_qp_ex: the calls, and what goes between them. */
class ExtendedSendsOverStubTest extends OverStub {
    private static final long VALUE = 0x8102_0304_F506_0708L;
    private static final long ADDRESS = 0xFFFF_8000_1234_5678L;
    private static final int RKEY = 0x8000_0001;
    private static final int WITH_FLUSH = 1 << 11;
    private static final int WITH_ATOMIC_WRITE = 1 << 12;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(8);
    private IbvCompletionQueue queue;
    private IbvQueuePair queuePair;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.ATOMIC_WRITE, Feature.FLUSH));
    }

    @BeforeEach
    void open() {
        queue = verbs.queue(16);
        queuePair = queuePair(Feature.ATOMIC_WRITE, Feature.FLUSH);
    }

    private QueuePairConfig config() {
        return QueuePairConfig.of(verbs.domain(), queue);
    }

    private IbvQueuePair queuePair(Feature... sendOps) {
        IbvQueuePair made = verbs.queuePair(config().withSendOps(sendOps));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return made;
    }

    private int write(int flags) {
        return queuePair.postAtomicWrite(7, VALUE, ADDRESS, RKEY, flags);
    }

    private int flush(long length) {
        return queuePair.postFlush(8, ADDRESS, length, RKEY, PlacementType.GLOBAL, SIGNALED);
    }

    private List<WcOpcode> completed() {
        return IntStream.range(0, queue.poll(completions))
                .mapToObj(i -> completions.get(i).opcode())
                .toList();
    }

    @Test
    void atomicWriteIsWhatWasPosted() {
        assertThat(write(SIGNALED | FENCE)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(Stub.postedByCalls()).isEqualTo("atomic write of 81020304f5060708 to ffff800012345678 of 80000001");
        assertThat(Stub.sendFlags()).isEqualTo(SIGNALED | FENCE);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.get(0).wrId()).isEqualTo(7);
        assertThat(completions.get(0).opcode()).isEqualTo(WcOpcode.ATOMIC_WRITE);
        assertThat(queuePair.statistics().sendsPosted()).isEqualTo(1);
    }

    @Test
    void flushIsWhatWasPosted() {
        assertThat(flush(0xFFFF_FFFFL)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(Stub.postedByCalls())
                .isEqualTo("flush of 4294967295 at ffff800012345678 of 80000001 type 1 level 0");
        assertThat(queuePair.postFlushRegion(9, ADDRESS, RKEY, PlacementType.GLOBAL, SIGNALED))
                .isEqualTo(PostStatus.ACCEPTED);
        assertThat(Stub.postedByCalls()).isEqualTo("flush of 0 at ffff800012345678 of 80000001 type 1 level 1");
        assertThat(completed()).containsExactly(WcOpcode.FLUSH, WcOpcode.FLUSH);
        assertThat(flush(0x1_0000_0000L)).isEqualTo(PostStatus.MESSAGE_TOO_LONG);
        assertThat(flush(-1)).isEqualTo(PostStatus.INVALID);
        assertThat(completed()).isEmpty();
    }

    @Test
    void initiatorDepthOfZeroRefusesThem() {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.MAX_RD_ATOMIC, 0));
        assertThat(write(SIGNALED)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        assertThat(flush(8)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        assertThat(flush(0x1_0000_0000L)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        assertThat(flush(-1)).isEqualTo(PostStatus.INVALID);
        assertThat(completed()).isEmpty();
    }

    @Test
    void flushIntoPersistentMemoryNeedsTheDevice() {
        assertThatThrownBy(() -> queuePair.postFlush(1, ADDRESS, 8, RKEY, PlacementType.PERSISTENT, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks FLUSH_PERSISTENT");
        reopen(EnumSet.of(Feature.ATOMIC_WRITE, Feature.FLUSH, Feature.FLUSH_PERSISTENT));
        open();
        assertThat(queuePair.postFlush(1, ADDRESS, 8, RKEY, PlacementType.PERSISTENT, SIGNALED))
                .isEqualTo(PostStatus.ACCEPTED);
        assertThat(Stub.postedByCalls()).endsWith("type 2 level 0");
    }

    @Test
    void chainsGoToTheSameQueuePair() {
        assertThat(queuePair.post(WorkRequest.of(SendOpcode.SEND).wrId(1).flags(SIGNALED)))
                .isEqualTo(PostStatus.ACCEPTED);
        assertThat(write(SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(queuePair.post(WorkRequest.of(SendOpcode.SEND).wrId(2).flags(SIGNALED)))
                .isEqualTo(PostStatus.ACCEPTED);
        assertThat(flush(8)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(queue.poll(completions)).isEqualTo(4);
        assertThat(IntStream.range(0, 4).mapToLong(i -> completions.get(i).wrId()))
                .containsExactly(1L, 7L, 2L, 8L);
        assertThat(queuePair.statistics().sendsCompleted()).isEqualTo(4);
    }

    @Test
    void batchThatIsOpenIsNotOvertaken() {
        assertThat(queuePair
                        .batch()
                        .post(WorkRequest.of(SendOpcode.SEND).wrId(1).flags(SIGNALED)))
                .isEqualTo(PostStatus.ACCEPTED);
        assertThatThrownBy(() -> write(SIGNALED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("open batch");
        assertThat(queuePair.batch().submit()).isEqualTo(1);
        assertThat(write(SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
    }

    @Test
    void refusalOfTheDriverIsAStatus() {
        Stub.hold(queuePair.number(), true);
        Stub.depth(queuePair.number(), 1);
        assertThat(write(SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(write(SIGNALED)).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(flush(8)).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(write(INLINE)).isEqualTo(PostStatus.INVALID);
        Stub.hold(queuePair.number(), false);
        assertThat(completed()).containsExactly(WcOpcode.ATOMIC_WRITE);
        assertThat(write(SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(queuePair.statistics().sendsPosted()).isEqualTo(2);
    }

    @Test
    void queuePairIsMadeForWhatItAsksAlone() {
        assertThat(Stub.madeFor()).isEqualTo(WITH_FLUSH | WITH_ATOMIC_WRITE);
        IbvQueuePair flushing = queuePair(Feature.FLUSH);
        assertThat(Stub.madeFor()).isEqualTo(WITH_FLUSH);
        assertThatThrownBy(() -> flushing.postAtomicWrite(1, VALUE, ADDRESS, RKEY, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("withSendOps(ATOMIC_WRITE)");
        IbvQueuePair writing = queuePair(Feature.ATOMIC_WRITE);
        assertThat(Stub.madeFor()).isEqualTo(WITH_ATOMIC_WRITE);
        assertThatThrownBy(() -> writing.postFlush(1, ADDRESS, 8, RKEY, PlacementType.GLOBAL, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("withSendOps(FLUSH)");
        Stub.fail("ibv_create_qp_ex", Errno.EINVAL, 1);
        IbvQueuePair ordinary = queuePair(); // by ibv_create_qp
        assertThatThrownBy(() -> ordinary.postFlushRegion(1, ADDRESS, RKEY, PlacementType.GLOBAL, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("withSendOps(FLUSH)");
    }

    @Test
    void queuePairThatCannotBeMadeSaysWhy() {
        QueuePairConfig asked = config().withSendOps(Feature.ATOMIC_WRITE);
        assertThatThrownBy(() -> verbs.queuePair(asked.withType(QueuePairType.UD)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("UD", "ATOMIC_WRITE", "use type RC");
        assertThatThrownBy(() -> config().withSendOps(Feature.ATOMICS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ATOMICS");
        Stub.fail("ibv_create_qp_ex", Errno.ENOMEM, 1);
        assertThatThrownBy(() -> verbs.queuePair(asked))
                .isInstanceOf(ResourceException.class)
                .hasMessageContainingAll("ibv_create_qp_ex", "ENOMEM");
    }

    @Test
    void closedQueuePairAndDeviceWithoutAreTold() {
        queuePair.close();
        assertThatThrownBy(() -> write(SIGNALED)).isInstanceOf(IllegalStateException.class);
        reopen(EnumSet.noneOf(Feature.class));
        queue = verbs.queue(16);
        assertThatThrownBy(() -> verbs.queuePair(config().withSendOps(Feature.FLUSH)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks FLUSH");
        queuePair = queuePair();
        assertThatThrownBy(() -> write(SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks ATOMIC_WRITE");
        assertThatThrownBy(() -> verbs.domain().allocate(4096, Access.FLUSH_GLOBAL))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks FLUSH");
    }

    @Test
    void rightsToFlushGoWhereTheDeviceFlushes() {
        int all = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        assertThat(queuePair.query().get(Field.ACCESS)).hasValue(all | Access.FLUSH_GLOBAL.bit());
        try (RegisteredBuffer buffer = verbs.domain().allocate(4096, Access.FLUSH_GLOBAL)) {
            assertThat(buffer.remote().rights()).isEqualTo(Access.FLUSH_GLOBAL.bit());
        }
        assertThatThrownBy(() -> verbs.domain().allocate(4096, Access.FLUSH_PERSISTENT))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks FLUSH_PERSISTENT");
    }

    @Test
    void queuePairThatHasNotConnectedTakesNone() {
        try (IbvQueuePair made = verbs.queuePair(config().withSendOps(Feature.ATOMIC_WRITE, Feature.FLUSH))) {
            assertThat(made.postAtomicWrite(1, VALUE, ADDRESS, RKEY, NONE)).isEqualTo(PostStatus.NOT_CONNECTED);
            assertThat(made.postAtomicWrite(1, VALUE, ADDRESS, RKEY, INLINE)).isEqualTo(PostStatus.INVALID);
            assertThat(made.postFlush(1, ADDRESS, -1, RKEY, PlacementType.GLOBAL, NONE))
                    .isEqualTo(PostStatus.INVALID);
            assertThat(made.postFlush(1, ADDRESS, 1L << 32, RKEY, PlacementType.GLOBAL, NONE))
                    .isEqualTo(PostStatus.NOT_CONNECTED);
        }
    }
}
