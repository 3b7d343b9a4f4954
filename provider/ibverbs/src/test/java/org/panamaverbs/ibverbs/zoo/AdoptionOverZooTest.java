package org.panamaverbs.ibverbs.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.api.ext.Adoption.Owner;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_cq;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.Waits;

/** Queue pairs and completion queues that a vendor's call created, used through the API: SRD of efa and DC of mlx5. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test opens first
class AdoptionOverZooTest {
    private static final int DEPTH = 16;
    private static final int QKEY = 0x1234;
    private static final int BYTES = 64;
    private static final int RECEIVED_AT = 1024;
    private static final long VALUE = 0x0123_4567_89AB_CDEFL;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(DEPTH);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Verbs verbs;
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private RegisteredBuffer memory;
    private AddressHandle handle;

    @BeforeEach
    void requireZoo() {
        Zoo zoo = new Zoo.Efa();
        assumeTrue(zoo.missing().isEmpty(), () -> zoo.missing().orElse(""));
    }

    private void open(Zoo zoo) {
        verbs = add(zoo.openA());
        domain = add(verbs.protectionDomain());
        queue = add(verbs.completionQueue(CompletionQueueConfig.of(DEPTH * 4)));
        memory = add(domain.allocate(4096, Access.LOCAL_WRITE));
        memory.segment().set(ValueLayout.JAVA_LONG, 0, VALUE);
        handle = add(domain.addressHandle(
                AddressHandleConfig.to(verbs.port(1).gids().getFirst().gid())));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T add(T made) {
        opened.add(made);
        return made;
    }

    private MemorySegment vendorMade(int kind) {
        return vendorMade(kind, VendorCalls.of(queue), MemorySegment.NULL, 0);
    }

    /** Creates a queue pair by the vendor's call, and has the caller destroy it after what is opened later. */
    private MemorySegment vendorMade(int kind, MemorySegment queueOf, MemorySegment shared, long key) {
        MemorySegment made = VendorCalls.createQueuePair(domain, kind, queueOf, shared, DEPTH, key);
        assertThat(made.address()).isNotZero();
        add(() -> assertThat(VendorCalls.destroy("ibv_destroy_qp", made)).isZero());
        return made;
    }

    private QueuePairConfig config() {
        return QueuePairConfig.of(domain, queue)
                .withType(QueuePairType.DRIVER)
                .withDepth(DEPTH, DEPTH)
                .withSge(1, 1)
                .withInline(16);
    }

    private static Adoption adoption(MemorySegment made) {
        return Adoption.queuePair(made, VendorCalls.number(made));
    }

    private void expectCompletions(long... wrIds) {
        assertThat(queue.poll(completions)).isEqualTo(wrIds.length);
        for (int i = 0; i < wrIds.length; i++) {
            assertThat(completions.get(i).ok()).as("%s", completions.get(i)).isTrue();
            assertThat(completions.get(i).wrId()).isEqualTo(wrIds[i]);
        }
    }

    /** The reliable datagrams of efa. */
    @Nested
    class Srd {
        @BeforeEach
        void openEfa() {
            open(new Zoo.Efa());
        }

        private QueuePair adopted() {
            return add(domain.adopt(adoption(vendorMade(VendorCalls.SRD)), config()));
        }

        private QueuePair ready() {
            QueuePair made = adopted();
            made.modify(QueuePairAttributes.to(QueuePairState.INIT)
                    .set(Field.PORT, 1)
                    .set(Field.PKEY_INDEX, 0)
                    .set(Field.QKEY, QKEY));
            made.modify(QueuePairAttributes.to(QueuePairState.RTR));
            made.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, 0));
            return made;
        }

        private int send(QueuePair from, int wrId, int to) {
            SgList piece = SgList.ofCapacity(1).add(memory, 0, BYTES);
            return from.post(WorkRequest.of(SendOpcode.SEND)
                    .wrId(wrId)
                    .local(piece)
                    .destination(handle, to, QKEY)
                    .flags(SendFlag.SIGNALED));
        }

        @Test
        void sendsAndReceivesLikeAnother() {
            QueuePair from = ready();
            QueuePair to = ready();
            assertThat(to.recv(7, memory, RECEIVED_AT, BYTES)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(send(from, 8, to.number())).isEqualTo(PostStatus.ACCEPTED);
            expectCompletions(7, 8);
            WorkCompletion received = completions.get(0);
            assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
            assertThat(received.byteCount()).isEqualTo(BYTES);
            assertThat(received.sourceQpNumber()).isEqualTo(from.number());
            assertThat(memory.segment().get(ValueLayout.JAVA_LONG, RECEIVED_AT)).isEqualTo(VALUE);
            assertThat(from.state()).isEqualTo(QueuePairState.RTS);
            assertThat(from.statistics().toString()).contains(Integer.toString(from.number()));
        }

        @Test
        void whatHasNoAnswerFailsAloneAndTheNextIsSent() {
            QueuePair from = ready();
            QueuePair to = ready();
            assertThat(to.recv(1, memory, RECEIVED_AT, BYTES)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(send(from, 2, 0xABCDEF)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(queue.poll(completions)).isEqualTo(1);
            assertThat(completions.get(0).status()).isEqualTo(WcStatus.RESPONSE_TIMEOUT);
            assertThat(send(from, 3, to.number())).isEqualTo(PostStatus.ACCEPTED);
            expectCompletions(1, 3);
        }

        @Test
        void isAdoptedInTheStateInWhichItIs() throws Exception {
            MemorySegment made = vendorMade(VendorCalls.SRD);
            QueuePair first = domain.adopt(adoption(made), config());
            first.modify(QueuePairAttributes.to(QueuePairState.INIT)
                    .set(Field.PORT, 1)
                    .set(Field.PKEY_INDEX, 0)
                    .set(Field.QKEY, QKEY));
            first.modify(QueuePairAttributes.to(QueuePairState.RTR));
            assertThat(send(first, 1, 1)).isEqualTo(PostStatus.NOT_CONNECTED);
            first.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, 0));
            first.close();
            QueuePair again = add(domain.adopt(adoption(made), config()));
            assertThat(send(again, 1, 0xABCDEF)).isEqualTo(PostStatus.ACCEPTED);
        }

        @Test
        void closingLeavesItToTheCaller() {
            MemorySegment made = vendorMade(VendorCalls.SRD);
            QueuePair adopted = domain.adopt(adoption(made), config());
            int objects = Zoo.objects();
            adopted.close();
            adopted.close();
            assertThat(Zoo.objects()).isEqualTo(objects);
            assertThatThrownBy(() -> send(adopted, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("queue pair " + VendorCalls.number(made));
        }

        @Test
        void closingDestroysWhatIsTheLibrarys() {
            MemorySegment made = VendorCalls.createQueuePair(
                    domain, VendorCalls.SRD, VendorCalls.of(queue), MemorySegment.NULL, DEPTH, 0);
            int objects = Zoo.objects();
            domain.adopt(adoption(made).withOwner(Owner.LIBRARY), config()).close();
            assertThat(Zoo.objects()).isEqualTo(objects - 2); // with its receive queue
        }

        @Test
        void destroyedUnderneathItIsClosedAndItsQueueGoesOn() throws Exception {
            MemorySegment made = VendorCalls.createQueuePair(
                    domain, VendorCalls.SRD, VendorCalls.of(queue), MemorySegment.NULL, DEPTH, 0);
            QueuePair adopted = domain.adopt(adoption(made), config());
            assertThat(VendorCalls.destroy("ibv_destroy_qp", made)).isZero();
            adopted.close();
            QueuePair from = ready();
            QueuePair to = ready();
            assertThat(to.recv(7, memory, RECEIVED_AT, BYTES)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(send(from, 8, to.number())).isEqualTo(PostStatus.ACCEPTED);
            expectCompletions(7, 8);
        }

        @Test
        void whatTheCallerSaysIsComparedWithTheNativeQueuePair() throws Exception {
            MemorySegment made = vendorMade(VendorCalls.SRD);
            Adoption right = adoption(made);
            refused(new Adoption(right.address(), right.number() + 1, Owner.LIBRARY, 0, 0), config(), "its number is");
            refused(right, config().withType(QueuePairType.UD), "its type is 255, expected 4");
            refused(right, config().withDepth(DEPTH + 1, DEPTH), "its maxSendWr is 16, got 17");
            refused(right, config().withDepth(DEPTH, DEPTH + 1), "its maxRecvWr is 16, got 17");
            refused(right, config().withInline(33), "its maxInlineBytes is 32, got 33");
            refused(right, config().withSge(2, 1), "its maxSendSge is 1, got 2");
            CompletionQueue other = add(verbs.completionQueue(DEPTH));
            refused(right, config().withRecvCq(other), "its receive queue is 0x");
            ProtectionDomain otherDomain = add(verbs.protectionDomain());
            assertThatThrownBy(() -> otherDomain.adopt(right, config())).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> otherDomain.adopt(
                            right, QueuePairConfig.of(otherDomain, queue).withType(QueuePairType.DRIVER)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("its domain is 0x");
            assertThatThrownBy(() -> Adoption.queuePair(MemorySegment.NULL, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("remedy: ");
            // A queue is no queue pair.
            MemorySegment queueOf = VendorCalls.of(queue);
            refused(Adoption.queuePair(queueOf, 1), config(), "it is completion queue");
            QueuePair adopted = domain.adopt(right, config());
            refused(right, config(), "it is queue pair " + right.number() + " already");
            adopted.close();
        }

        private void refused(Adoption adoption, QueuePairConfig config, String why) {
            assertThatThrownBy(() -> domain.adopt(adoption, config))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(why)
                    .hasMessageContaining("remedy: ");
        }

        @Test
        void isNotTakenForAnotherDevices() {
            MemorySegment made = vendorMade(VendorCalls.SRD);
            try (Verbs second = new Zoo.Efa().openA();
                    ProtectionDomain its = second.protectionDomain();
                    CompletionQueue itsQueue = second.completionQueue(DEPTH)) {
                QueuePairConfig config = QueuePairConfig.of(its, itsQueue).withType(QueuePairType.DRIVER);
                assertThatThrownBy(() -> its.adopt(adoption(made), config))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("its context is 0x");
            }
        }

        @Test
        void connectionManagerRefusesIt() {
            QueuePair adopted = adopted();
            assertThatThrownBy(() -> verbs.connect(
                            new Zoo.Efa().listenAddress(), adopted, ConnectionConfig.defaults(), Waits.deadline()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("was adopted")
                    .hasMessageContaining("remedy: ");
        }

        @Test
        void theLibraryCreatesNoneItself() {
            assertThatThrownBy(() -> domain.queuePair(config()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("ProtectionDomain.adopt");
        }

        @Test
        void wrongTransitionSaysSo() {
            QueuePair adopted = adopted();
            assertThatThrownBy(() -> adopted.modify(QueuePairAttributes.to(QueuePairState.INIT)))
                    .hasMessageContaining("(DRIVER) from RESET to INIT")
                    .hasMessageContaining("EINVAL");
        }
    }

    /** Dynamic connections of mlx5. */
    @Nested
    class DynamicConnections {
        private static final int KEY = 0x7E57_0DC7;

        private SharedReceiveQueue shared;

        @BeforeEach
        void openMlx5() {
            open(new Zoo.Mlx5());
            shared = add(
                    domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(DEPTH).withSge(1)));
        }

        private QueuePair target() {
            MemorySegment made = ((NativeObject) shared)
                    .withNative(srq -> vendorMade(VendorCalls.DCT, VendorCalls.of(queue), srq, KEY & 0xFFFF_FFFFL));
            QueuePair target = add(domain.adopt(
                    adoption(made), config().withSrq(shared).withDepth(0, 0).withInline(0)));
            target.modify(QueuePairAttributes.to(QueuePairState.INIT)
                    .set(Field.PORT, 1)
                    .set(Field.PKEY_INDEX, 0)
                    .set(Field.ACCESS, 0));
            target.modify(QueuePairAttributes.to(QueuePairState.RTR)
                    .address(AddressHandleConfig.to(
                            verbs.port(1).gids().getFirst().gid()))
                    .set(Field.PATH_MTU, 1024)
                    .set(Field.MIN_RNR_TIMER, 12));
            return target;
        }

        private QueuePair initiator() {
            MemorySegment made = vendorMade(VendorCalls.DCI);
            QueuePair initiator = add(domain.adopt(
                    adoption(made).withDestinations(VendorCalls.function("zoo_set_dc_addr"), made),
                    config().withDepth(DEPTH, 0)));
            initiator.modify(QueuePairAttributes.to(QueuePairState.INIT)
                    .set(Field.PORT, 1)
                    .set(Field.PKEY_INDEX, 0));
            initiator.modify(QueuePairAttributes.to(QueuePairState.RTR).set(Field.PATH_MTU, 1024));
            initiator.modify(QueuePairAttributes.to(QueuePairState.RTS)
                    .set(Field.TIMEOUT, 14)
                    .set(Field.RETRY_COUNT, 7)
                    .set(Field.RNR_RETRY, 7)
                    .set(Field.SQ_PSN, 0)
                    .set(Field.MAX_RD_ATOMIC, 1));
            return initiator;
        }

        private int send(QueuePair from, SendOpcode operation, int wrId, int to, int key) {
            SgList piece = SgList.ofCapacity(1).add(memory, 0, BYTES);
            return from.post(WorkRequest.of(operation)
                    .wrId(wrId)
                    .local(piece)
                    .destination(handle, to, key)
                    .immediate(wrId)
                    .flags(SendFlag.SIGNALED));
        }

        @Test
        void initiatorSendsToTargets() {
            QueuePair first = target();
            QueuePair second = target();
            QueuePair from = initiator();
            assertThat(shared.recv(1, memory, RECEIVED_AT, BYTES)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(shared.recv(2, memory, RECEIVED_AT + BYTES, BYTES)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(send(from, SendOpcode.SEND, 8, first.number(), KEY)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(send(from, SendOpcode.SEND_WITH_IMMEDIATE, 9, second.number(), KEY))
                    .isEqualTo(PostStatus.ACCEPTED);
            expectCompletions(1, 8, 2, 9);
            assertThat(completions.get(0).qpNumber()).isEqualTo(first.number());
            assertThat(completions.get(2).qpNumber()).isEqualTo(second.number());
            assertThat(completions.get(2).immediate()).isEqualTo(9);
            assertThat(memory.segment().get(ValueLayout.JAVA_LONG, RECEIVED_AT)).isEqualTo(VALUE);
        }

        @Test
        void batchIsPostedWhole() {
            QueuePair to = target();
            QueuePair from = initiator();
            Batch batch = from.batch();
            SgList piece = SgList.ofCapacity(1).add(memory, 0, BYTES);
            for (int i = 0; i < 3; i++) {
                assertThat(shared.recv(i, memory, RECEIVED_AT, BYTES)).isEqualTo(PostStatus.ACCEPTED);
                assertThat(batch.post(WorkRequest.of(SendOpcode.SEND)
                                .wrId(10 + i)
                                .local(piece)
                                .destination(handle, to.number(), KEY)
                                .flags(SendFlag.SIGNALED)))
                        .isEqualTo(PostStatus.ACCEPTED);
            }
            assertThat(batch.submit()).isEqualTo(3);
            expectCompletions(0, 10, 1, 11, 2, 12);
        }

        @Test
        void queueIsFullAtItsDepth() {
            QueuePair to = target();
            QueuePair from = initiator();
            int accepted = 0;
            int status = send(from, SendOpcode.SEND, 0, to.number(), KEY);
            while (status == PostStatus.ACCEPTED) {
                accepted++;
                status = send(from, SendOpcode.SEND, accepted, to.number(), KEY);
            }
            assertThat(status).isEqualTo(PostStatus.QUEUE_FULL);
            assertThat(accepted).isGreaterThanOrEqualTo(DEPTH);
        }

        @Test
        void wrongKeyFailsTheInitiator() {
            QueuePair to = target();
            QueuePair from = initiator();
            assertThat(shared.recv(1, memory, RECEIVED_AT, BYTES)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(send(from, SendOpcode.SEND, 8, to.number(), KEY + 1)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(queue.poll(completions)).isEqualTo(1);
            assertThat(completions.get(0).status()).isEqualTo(WcStatus.RETRY_EXCEEDED);
            assertThat(from.state()).isEqualTo(QueuePairState.ERROR);
        }

        @Test
        void eventsOfItAreToldAsItsOwn() {
            QueuePair target = target();
            target.modify(QueuePairAttributes.to(QueuePairState.ERROR));
            Optional<AsyncEvent> told = verbs.asyncEvent(Waits.deadline());
            assertThat(told.map(AsyncEvent::type)).contains(AsyncEvent.Type.QP_LAST_WQE_REACHED);
            assertThat(told.map(AsyncEvent::source)).contains(target);
        }
    }

    /** Completion queues. */
    @Nested
    class Queues {
        private static final long FIELDS = Ibverbs.IBV_WC_EX_WITH_QP_NUM() | Ibverbs.IBV_WC_EX_WITH_BYTE_LEN();

        private CompletionChannel channel;

        @BeforeEach
        void openEfa() {
            open(new Zoo.Efa());
            channel = add(verbs.completionChannel());
        }

        private MemorySegment vendorQueue(boolean events) {
            return ((NativeObject) channel)
                    .withNative(its ->
                            VendorCalls.createCompletionQueue(verbs, DEPTH, events ? its : MemorySegment.NULL, FIELDS));
        }

        /** Has one queue pair send to another, both completing in {@code adopted}. */
        private void exchange(CompletionQueue adopted, MemorySegment made) {
            QueuePairConfig both = QueuePairConfig.of(domain, adopted)
                    .withType(QueuePairType.UD)
                    .withDepth(DEPTH, DEPTH)
                    .withSge(1, 1)
                    .withInline(0);
            try (QueuePair from = ready(both);
                    QueuePair to = ready(both)) {
                assertThat(to.recv(1, memory, RECEIVED_AT, BYTES + 40)).isEqualTo(PostStatus.ACCEPTED);
                SgList piece = SgList.ofCapacity(1).add(memory, 0, BYTES);
                assertThat(from.post(WorkRequest.of(SendOpcode.SEND)
                                .wrId(2)
                                .local(piece)
                                .destination(handle, to.number(), QKEY)
                                .flags(SendFlag.SIGNALED)))
                        .isEqualTo(PostStatus.ACCEPTED);
                assertThat(adopted.poll(completions)).as("%s", made).isEqualTo(2);
                assertThat(completions.get(0).byteCount()).isEqualTo(BYTES + 40);
                assertThat(completions.get(1).ok()).isTrue();
            }
        }

        private QueuePair ready(QueuePairConfig config) {
            QueuePair made = domain.queuePair(config);
            made.modify(new QueuePairAttributes().set(Field.QKEY, QKEY));
            made.modify(QueuePairAttributes.to(QueuePairState.RTR));
            made.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, 0));
            return made;
        }

        @Test
        void isPolledAndTellsOfCompletionsInAChannel() {
            MemorySegment made = vendorQueue(true);
            CompletionQueueConfig config =
                    CompletionQueueConfig.of(DEPTH).withChannel(channel).withFields(WcField.BYTE_COUNT);
            try (CompletionQueue adopted = verbs.adopt(Adoption.completionQueue(made), config)) {
                adopted.arm(false);
                exchange(adopted, made);
                assertThat(channel.await(Waits.deadline())).containsSame(adopted);
            }
            assertThat(VendorCalls.destroy("ibv_destroy_cq", made)).isZero();
        }

        /** The owner may have destroyed it before, and its memory may be another's. */
        @Test
        void closingWritesNothingIntoWhatIsTheCallers() {
            MemorySegment made = vendorQueue(true).reinterpret(ibv_cq.sizeof());
            CompletionQueueConfig config = CompletionQueueConfig.of(DEPTH).withChannel(channel);
            CompletionQueue adopted = verbs.adopt(Adoption.completionQueue(made), config);
            byte[] before = made.toArray(ValueLayout.JAVA_BYTE);
            adopted.close();
            assertThat(made.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
            assertThat(VendorCalls.destroy("ibv_destroy_cq", made)).isZero();
        }

        /** Whatever the native queue says of itself: the next queue of the channel has the closed one's place. */
        @Test
        void eventOfAClosedOneIsNotTakenForAnothers() {
            MemorySegment made = vendorQueue(true).reinterpret(ibv_cq.sizeof());
            CompletionQueueConfig config = CompletionQueueConfig.of(DEPTH).withChannel(channel);
            try (CompletionQueue adopted = verbs.adopt(Adoption.completionQueue(made), config)) {
                adopted.arm(false);
                exchange(adopted, made);
            }
            try (CompletionQueue next = verbs.completionQueue(config)) {
                ibv_cq.cq_context(made, MemorySegment.ofAddress(1)); // the first place's
                assertThat(channel.await(Deadline.now())).as("not %s", next).isEmpty();
            }
            assertThat(VendorCalls.destroy("ibv_destroy_cq", made)).isZero();
        }

        @Test
        void isPolledAsAnOrdinaryOneWithoutFields() {
            MemorySegment made = vendorQueue(false);
            try (CompletionQueue adopted =
                    verbs.adopt(Adoption.completionQueue(made), CompletionQueueConfig.of(DEPTH))) {
                exchange(adopted, made);
                exchange(adopted, made);
            }
            assertThat(VendorCalls.destroy("ibv_destroy_cq", made)).isZero();
        }

        @Test
        void closingDestroysWhatIsTheLibrarys() {
            int objects = Zoo.objects();
            Adoption adoption = Adoption.completionQueue(vendorQueue(true)).withOwner(Owner.LIBRARY);
            verbs.adopt(adoption, CompletionQueueConfig.of(DEPTH).withChannel(channel))
                    .close();
            assertThat(Zoo.objects()).isEqualTo(objects);
        }

        @Test
        void whatTheCallerSaysIsComparedWithTheNativeQueue() {
            MemorySegment made = vendorQueue(true);
            Adoption right = Adoption.completionQueue(made).withOwner(Owner.LIBRARY);
            CompletionQueueConfig config = CompletionQueueConfig.of(DEPTH);
            refused(right, CompletionQueueConfig.of(DEPTH + 1), "its capacity is 16, got 17");
            refused(right, config.withFields(WcField.SOURCE_QP), "created without SOURCE_QP");
            try (CompletionChannel other = verbs.completionChannel()) {
                refused(right, config.withChannel(other), "its channel is 0x");
            }
            CompletionQueue adopted = verbs.adopt(right, config);
            refused(right, config, "already");
            adopted.close();
        }

        private void refused(Adoption adoption, CompletionQueueConfig config, String why) {
            assertThatThrownBy(() -> verbs.adopt(adoption, config))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(why)
                    .hasMessageContaining("remedy: ");
        }
    }
}
