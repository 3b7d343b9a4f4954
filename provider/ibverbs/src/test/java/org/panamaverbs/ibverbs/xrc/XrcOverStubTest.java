package org.panamaverbs.ibverbs.xrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.ext.XrcDomain;
import org.panamaverbs.api.ext.XrcDomainConfig;
import org.panamaverbs.api.ext.XrcDomainConfig.Opening;
import org.panamaverbs.api.ext.XrcReceiver;
import org.panamaverbs.api.ext.XrcSharedReceiveQueue;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.testkit.process.Allocation;

/**
 * Extended reliable connections, of which no device of the lab has any: the calls and their attributes as the C
 * compiler reads them, and sends that the stub delivers to the shared receive queue whose number it reads.
 */
class XrcOverStubTest extends OverStub {
    private static final int POSTS = 500;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);

    @TempDir
    private Path directory;

    private XrcDomain domain;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(
                Transport.INFINIBAND, EnumSet.of(Feature.XRC, Feature.SHARED_RECEIVE_QUEUE, Feature.ATOMICS));
    }

    @BeforeEach
    void open() {
        domain = verbs.add(IbvXrcDomain.open(verbs.context(), XrcDomainConfig.unshared()));
    }

    private XrcSharedReceiveQueue shared(IbvCompletionQueue queue) {
        return verbs.add(domain.sharedReceiveQueue(verbs.domain(), queue, SharedReceiveQueueConfig.of(8)));
    }

    private IbvQueuePair sender(IbvCompletionQueue queue, int peer) {
        IbvQueuePair made =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withType(QueuePairType.XRC_SEND));
        made.modify(QueuePairAttributes.to(QueuePairState.RTR).set(Field.DEST_QPN, peer));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return made;
    }

    private static int send(SendQueue to, long id, long length) {
        return to.post(
                WorkRequest.of(SendOpcode.SEND).wrId(id).local(4096, length, 1).flags(SIGNALED));
    }

    /** Returns the lengths of what has come to {@code queue}, by {@code receiver}. */
    private List<Long> came(IbvCompletionQueue queue, XrcReceiver receiver) {
        List<Long> lengths = new ArrayList<>();
        queue.poll(completions);
        for (int i = 0; i < completions.count(); i++) {
            WorkCompletion received = completions.get(i);
            assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
            assertThat(received.qpNumber()).isEqualTo(receiver.number());
            lengths.add(received.byteCount());
        }
        return lengths;
    }

    @Test
    void sendsReachTheQueueThatTheyName() {
        IbvCompletionQueue toA = verbs.queue(64);
        IbvCompletionQueue toB = verbs.queue(64);
        IbvCompletionQueue sent = verbs.queue(64);
        XrcReceiver receiver = verbs.add(domain.receiver());
        int numberA = shared(toA).number();
        int numberB = shared(toB).number();
        assertThat(numberA).isGreaterThan(0x80_0000).isNotEqualTo(numberB);
        IbvQueuePair sender = sender(sent, receiver.number());
        SendQueue a = sender.toSharedReceiveQueue(numberA);
        SendQueue b = sender.toSharedReceiveQueue(numberB);
        assertThat(send(a, 1, 10)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(send(b, 2, 20)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(send(a, 3, 30)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(send(a.toSharedReceiveQueue(numberB), 4, 40)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(came(toA, receiver)).containsExactly(10L, 30L);
        assertThat(came(toB, receiver)).containsExactly(20L, 40L);

        Batch batch = sender.batch();
        assertThat(send(batch.toSharedReceiveQueue(numberB), 5, 50)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(send(batch.toSharedReceiveQueue(numberA), 6, 60)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(send(batch.toSharedReceiveQueue(numberB), 7, 70)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(came(toB, receiver)).isEmpty();
        assertThat(batch.submit()).isEqualTo(3);
        assertThat(came(toA, receiver)).containsExactly(60L);
        assertThat(came(toB, receiver)).containsExactly(50L, 70L);
        assertThat(sent.poll(completions)).isEqualTo(7);
        for (int i = 0; i < 7; i++) {
            assertThat(completions.get(i).status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(completions.get(i).wrId()).isEqualTo(i + 1);
        }
    }

    @Test
    void eachOperationNamesAQueue() {
        IbvCompletionQueue sent = verbs.queue(64);
        IbvQueuePair sender = sender(sent, 1);
        int known = shared(verbs.queue(64)).number();
        int unknown = 0x12_3456;
        for (int number : new int[] {known, unknown}) {
            SendQueue to = sender.toSharedReceiveQueue(number);
            MemorySegment data = MemorySegment.ofArray(new byte[8]);
            PostStatus.check(to.post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                    .wrId(1)
                    .inline(data, 0, 8)
                    .remote(4096, 7)
                    .flags(SIGNALED)));
            PostStatus.check(to.post(WorkRequest.of(SendOpcode.RDMA_READ)
                    .wrId(2)
                    .local(4096, 8, 1)
                    .remote(4096, 7)
                    .flags(SIGNALED)));
            PostStatus.check(to.post(WorkRequest.of(SendOpcode.FETCH_ADD)
                    .wrId(3)
                    .local(4096, Long.BYTES, 1)
                    .remote(4096, 7)
                    .add(1)
                    .flags(SIGNALED)));
        }
        assertThat(sent.poll(completions)).isEqualTo(6);
        for (int i = 0; i < 6; i++) {
            assertThat(completions.get(i).status())
                    .isEqualTo(i < 3 ? WcStatus.SUCCESS : WcStatus.REMOTE_INVALID_REQUEST);
        }
        assertThat(sender.entered()).as("as any reliable connection").isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void postsWithoutAQueueAreRefused() {
        IbvQueuePair sender = sender(verbs.queue(64), 1);
        assertRefused(() -> PostStatus.check(send(sender, 1, 1)), "toSharedReceiveQueue");
        assertRefused(() -> PostStatus.check(send(sender.batch(), 1, 1)), "toSharedReceiveQueue");
        assertRefused(() -> PostStatus.check(sender.localInvalidate(1, 2, NONE)), "toSharedReceiveQueue");
        assertThatThrownBy(() -> PostStatus.check(sender.postRecv(1, 4096, 1, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("receives nothing");
        assertThat(sender.config().maxRecvWr()).isZero();
        assertThatThrownBy(() -> sender.toSharedReceiveQueue(1 << 24))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0x1000000");
        IbvQueuePair other = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(64)));
        assertRefused(() -> other.toSharedReceiveQueue(1), "is RC");
        SendQueue to = sender.toSharedReceiveQueue(1);
        sender.close();
        assertThatThrownBy(() -> PostStatus.check(send(to, 1, 1))).isInstanceOf(IllegalStateException.class);
    }

    private static void assertRefused(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(why);
    }

    @Test
    void postingAllocatesNothing() {
        IbvCompletionQueue sent = verbs.queue(64);
        IbvQueuePair sender = sender(sent, 1);
        SendQueue to = sender.toSharedReceiveQueue(shared(verbs.queue(64)).number());
        SendQueue batched =
                sender.batch().toSharedReceiveQueue(shared(verbs.queue(64)).number());
        WorkRequest request = WorkRequest.of(SendOpcode.RDMA_WRITE);
        Allocation.expectNone(2 * POSTS, 20, () -> {
            for (int i = 0; i < POSTS; i++) {
                PostStatus.check(to.post(request.opcode(SendOpcode.RDMA_WRITE)
                        .wrId(1)
                        .local(4096, 8, 1)
                        .remote(4096, 7)
                        .flags(SIGNALED)));
                PostStatus.check(batched.post(request.opcode(SendOpcode.RDMA_WRITE)
                        .wrId(2)
                        .local(4096, 8, 1)
                        .remote(4096, 7)
                        .flags(SIGNALED)));
                PostStatus.check(sender.batch().submit());
                sent.poll(completions);
            }
        });
    }

    @Test
    void processesShareTheDomainOfAFile() throws Exception {
        Path file = Files.createFile(directory.resolve("domain"));
        XrcDomainConfig existing = XrcDomainConfig.of(file).withOpening(Opening.EXISTING);
        XrcDomainConfig made = XrcDomainConfig.of(file).withOpening(Opening.NEW);
        assertThatThrownBy(() -> IbvXrcDomain.open(verbs.context(), existing))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("EAGAIN");
        try (XrcDomain first = IbvXrcDomain.open(verbs.context(), made);
                XrcDomain second = IbvXrcDomain.open(verbs.context(), existing);
                XrcDomain third = IbvXrcDomain.open(verbs.context(), XrcDomainConfig.of(file));
                XrcReceiver receiver = first.receiver()) {
            assertThatThrownBy(() -> IbvXrcDomain.open(verbs.context(), made)).isInstanceOf(ResourceException.class);
            receiver.modify(QueuePairAttributes.to(QueuePairState.RTR));
            try (XrcReceiver again = second.receiver(receiver.number())) {
                assertThat(again.number()).isEqualTo(receiver.number());
                assertThat(again.state()).isEqualTo(QueuePairState.RTR);
            }
            assertThat(third).isNotSameAs(second);
            assertThatThrownBy(() -> domain.receiver(receiver.number()))
                    .as("of another domain")
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining("queue pair " + receiver.number());
        }
        try (XrcDomain anew = IbvXrcDomain.open(verbs.context(), made)) {
            assertThat(anew).isNotNull();
        }
        Path absent = directory.resolve("absent");
        assertThatThrownBy(() -> IbvXrcDomain.open(verbs.context(), XrcDomainConfig.of(absent)))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining(absent.toString())
                .hasMessageContaining("name a file that exists");
        assertThatThrownBy(() -> XrcDomainConfig.unshared().withOpening(Opening.EXISTING))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void receiverIsTakenThroughItsStatesOutOfBand() {
        XrcReceiver receiver = verbs.add(domain.receiver());
        assertThat(receiver.state()).isEqualTo(QueuePairState.INIT);
        assertThat(receiver.query().get(Field.ACCESS)).hasValue(Access.LOCAL_WRITE.bit());
        receiver.modify(QueuePairAttributes.to(QueuePairState.RTR)
                .address(AddressHandleConfig.toLid(7))
                .set(Field.DEST_QPN, 0x1234)
                .set(Field.MIN_RNR_TIMER, 12));
        assertThat(receiver.query().get(Field.DEST_QPN)).hasValue(0x1234);
        assertThat(receiver.query().address().orElseThrow().lid()).isEqualTo(7);
        Stub.fail("ibv_modify_qp", Errno.EINVAL, 1);
        assertThatThrownBy(() -> receiver.modify(QueuePairAttributes.to(QueuePairState.RTS)))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("XRC receiver " + receiver.number() + " from RTR to RTS")
                .hasMessageContaining("lacks: TIMEOUT, SQ_PSN")
                .hasMessageNotContaining("RETRY");
        receiver.close();
        assertThatThrownBy(receiver::query).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sendingEndNeedsWhatItWaitsFor() {
        IbvQueuePair sender = sender(verbs.queue(4), 1);
        sender.modify(QueuePairAttributes.to(QueuePairState.RESET));
        sender.modify(QueuePairAttributes.to(QueuePairState.INIT));
        sender.modify(QueuePairAttributes.to(QueuePairState.RTR));
        Stub.fail("ibv_modify_qp", Errno.EINVAL, 1);
        assertThatThrownBy(() -> sender.modify(QueuePairAttributes.to(QueuePairState.RTS)))
                .hasMessageContaining("lacks: TIMEOUT, RETRY_COUNT, RNR_RETRY, SQ_PSN, MAX_RD_ATOMIC");
    }

    @Test
    void receivesArePostedToTheSharedQueue() {
        XrcSharedReceiveQueue queue = shared(verbs.queue(64));
        assertThat(queue.config().maxWr()).as("as the device has it").isEqualTo(15);
        Stub.receiveRoom(-1);
        try (RegisteredBuffer buffer = verbs.domain().allocate(64, Access.LOCAL_WRITE)) {
            PostStatus.check(queue.recv(42, buffer));
        }
        assertThat(Stub.receives()).isEqualTo(1);
        assertThat(Stub.receiveId(0)).isEqualTo(42);
        queue.armLimit(3);
    }

    @Test
    void parentsAreClosedLast() {
        IbvCompletionQueue completing = verbs.queue(64);
        XrcSharedReceiveQueue queue = shared(completing);
        XrcReceiver receiver = verbs.add(domain.receiver());
        assertThatThrownBy(domain::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shared receive queue")
                .hasMessageContaining("XRC receiver " + receiver.number());
        assertThatThrownBy(completing::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shared receive queue");
        Stub.fail("ibv_destroy_srq", Errno.EBUSY, 1);
        assertThatThrownBy(queue::close).isInstanceOf(ResourceException.class);
        queue.close();
        receiver.close();
        Stub.fail("ibv_close_xrcd", Errno.EBUSY, 1);
        assertThatThrownBy(domain::close).isInstanceOf(ResourceException.class).hasMessageContaining("XRC domain");
        domain.close();
        completing.close();
        assertThatThrownBy(domain::receiver).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ibv_open_xrcd",
                "ibv_create_srq_ex",
                "ibv_get_srq_num",
                "ibv_create_qp_ex",
                "ibv_modify_qp",
                "ibv_open_qp"
            })
    void whatCannotBeMadeLeavesNothingBehind(String call) {
        IbvCompletionQueue queue = verbs.queue(4);
        XrcReceiver receiver = verbs.add(domain.receiver());
        int before = Stub.objects();
        Stub.fail(call, Errno.ENOMEM, 1);
        assertThatThrownBy(() -> {
                    try (Resources made = new Resources()) {
                        XrcDomain anew = made.add(IbvXrcDomain.open(verbs.context(), XrcDomainConfig.unshared()));
                        made.add(anew.sharedReceiveQueue(verbs.domain(), queue, SharedReceiveQueueConfig.of(4)));
                        made.add(anew.receiver());
                        made.add(domain.receiver(receiver.number()));
                    }
                })
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("ENOMEM");
        assertThat(Stub.objects()).isEqualTo(before);
    }

    @Test
    void whatVerbsHasInAnotherFormIsRefused() {
        QueuePairConfig config = QueuePairConfig.of(verbs.domain(), verbs.queue(64));
        XrcSharedReceiveQueue queue = shared(verbs.queue(64));
        assertRefused(() -> verbs.queuePair(config.withType(QueuePairType.XRC_RECV)), "XrcDomain.receiver()");
        assertThatThrownBy(() -> verbs.queuePair(config.withSrq(queue)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shared receive queue " + queue.number());
        SharedReceiveQueue ordinary = verbs.add(verbs.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(4)));
        assertThatThrownBy(() ->
                        verbs.queuePair(config.withType(QueuePairType.XRC_SEND).withSrq(ordinary)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("receives nothing");
    }

    @Test
    void deviceWithoutAnswersByCapability() {
        reopen(EnumSet.noneOf(Feature.class));
        assertRefused(() -> IbvXrcDomain.open(verbs.context(), XrcDomainConfig.unshared()), "lacks XRC");
    }
}
