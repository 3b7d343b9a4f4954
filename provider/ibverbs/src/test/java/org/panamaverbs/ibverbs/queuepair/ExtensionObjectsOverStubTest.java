package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceClock;
import org.panamaverbs.api.ext.DeviceMemory;
import org.panamaverbs.api.ext.Ece;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.api.ext.ParentDomain;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_qp;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.context.IbvDeviceClock;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** The clock, thread domains, vendors' options, and native objects for calls that are not the library's. */
class ExtensionObjectsOverStubTest extends OverStub {
    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(
                Feature.EXTENDED_CQ,
                Feature.RAW_CLOCK,
                Feature.PARENT_DOMAIN,
                Feature.SHARED_RECEIVE_QUEUE,
                Feature.MEMORY_WINDOW_TYPE_2));
    }

    @Test
    void theClockIsReadInItsOwnTicks() {
        Stub.clock(156_250, 10);
        DeviceClock clock = IbvDeviceClock.of(verbs.context());
        assertThat(clock.rate().kilohertz()).isEqualTo(156_250);
        assertThat(clock.mask()).isEqualTo(0xFFFF_FFFF_FFFFL);
        assertThat(clock.read()).isZero();
        assertThat(clock.read()).isEqualTo(10);
        Stub.fail("ibv_query_rt_values_ex", Errno.EIO, 1);
        assertThatThrownBy(clock::read)
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("ibv_query_rt_values_ex");
    }

    @Test
    void queuePairsOfAParentDomainUseMemoryOfTheDomainBeneath() {
        IbvCompletionQueue queue = verbs.queue(16);
        try (IbvThreadDomain threads = IbvThreadDomain.create(verbs.context());
                ParentDomain parent = threads.parentDomain(verbs.domain())) {
            assertThat(parent.protectionDomain()).isSameAs(verbs.domain());
            try (RegisteredBuffer beneath = verbs.domain()
                            .allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND);
                    RegisteredBuffer here = parent.allocate(64, Access.LOCAL_WRITE);
                    MemoryWindow window = parent.memoryWindow(MemoryWindow.Type.TYPE_2);
                    SharedReceiveQueue shared = parent.sharedReceiveQueue(SharedReceiveQueueConfig.of(4));
                    var queuePair =
                            parent.queuePair(QueuePairConfig.of(parent, queue).withSrq(shared))) {
                queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
                assertThat(here.isOf(verbs.domain())).isTrue();
                assertThat(queuePair.send(1, here, 0, 64, SendFlag.SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
                assertThat(queuePair.bind(2, window, beneath, 0, 64, SendFlag.SIGNALED, Access.REMOTE_WRITE))
                        .isEqualTo(PostStatus.ACCEPTED);
                assertThatThrownBy(parent::close).isInstanceOf(IllegalStateException.class);
            }
            assertThatThrownBy(threads::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("parent domain");
            assertThatThrownBy(() -> threads.parentDomain(parent))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("parent domain");
        }
    }

    @Test
    void completionQueuesOfAParentDomainAreExtendedOnes() {
        int before = Stub.parentQueues();
        IbvThreadDomain threads = verbs.add(IbvThreadDomain.create(verbs.context()));
        ParentDomain parent = verbs.add(threads.parentDomain(verbs.domain()));
        CompletionQueue queue = verbs.add(parent.completionQueue(CompletionQueueConfig.of(4)));
        assertThat(Stub.parentQueues()).isEqualTo(before + 1);
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        assertThat(queuePair.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(7).flags(SendFlag.SIGNALED)))
                .isEqualTo(PostStatus.ACCEPTED);
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.get(0).wrId()).isEqualTo(7);
        assertThatThrownBy(parent::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("completion queue");
        CompletionChannel channel = verbs.add(IbvCompletionChannel.create(verbs.context()));
        verbs.add(parent.completionQueue(CompletionQueueConfig.of(4).withChannel(channel)));
        assertThat(Stub.parentQueues()).isEqualTo(before + 2);
    }

    @Test
    void whatCannotBeMadeLeavesNothingBehind() {
        Stub.fail("ibv_alloc_td", Errno.ENOMEM, 1);
        assertThatThrownBy(() -> IbvThreadDomain.create(verbs.context())).isInstanceOf(ResourceException.class);
        try (IbvThreadDomain threads = IbvThreadDomain.create(verbs.context())) {
            Stub.fail("ibv_alloc_parent_domain", Errno.ENOMEM, 1);
            assertThatThrownBy(() -> threads.parentDomain(verbs.domain())).isInstanceOf(ResourceException.class);
        }
    }

    @Test
    void optionsOfAVendorGoBothWays() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(4)));
        assertThat(queuePair.queryEce()).isEqualTo(new Ece(0, 0));
        queuePair.setEce(new Ece(0x15B3, 0x1F3));
        assertThat(queuePair.queryEce()).as("what the device took").isEqualTo(new Ece(0x15B3, 0xF3));
        Stub.fail("ibv_set_ece", Errno.EINVAL, 1);
        assertThatThrownBy(() -> queuePair.setEce(new Ece(1, 1))).isInstanceOf(ResourceException.class);
        Stub.fail("ibv_query_ece", Errno.EOPNOTSUPP, 1);
        assertThatThrownBy(queuePair::queryEce)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(queuePair.resourceName());
    }

    @Test
    void theOrderOfOctetsIsAskedByOperation() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(4)));
        assertThat(queuePair.isDataInOrder(SendOpcode.RDMA_WRITE)).isTrue();
        assertThat(queuePair.isDataInOrder(SendOpcode.SEND)).isFalse();
        assertThat(queuePair.isDataInOrder(SendOpcode.FETCH_ADD)).isFalse();
    }

    @Test
    void objectsOfAnotherProcessAreImportedAndGivenBack() {
        IbvObjectSharing sharing = new IbvObjectSharing(verbs.context());
        assertThat(sharing.commandDescriptor()).isEqualTo(-1);
        assertThat(sharing.numberOf(verbs.domain())).isZero();
        try (RegisteredBuffer own = verbs.domain().allocate(64, Access.LOCAL_WRITE)) {
            assertThat(sharing.numberOf(own)).isEqualTo(own.lkey() >>> 8);
        }
        try (ProtectionDomain domain = sharing.importDomain(17);
                RegisteredBuffer buffer = sharing.importBuffer(domain, 5, 4096, 128, Access.REMOTE_READ);
                DeviceMemory memory = sharing.importMemory(6, 256)) {
            assertThat(Stub.imports()).isEqualTo(3);
            assertThat(sharing.numberOf(domain)).isEqualTo(17);
            assertThat(sharing.numberOf(memory)).isEqualTo(6);
            assertThat(buffer.lkey()).isEqualTo(0x105);
            assertThat(buffer.remote().address()).isEqualTo(4096);
            assertThat(buffer.hasSegment()).isFalse();
            assertThat(memory.length()).isEqualTo(256);
            assertThatThrownBy(domain::close).isInstanceOf(IllegalStateException.class);
        }
        assertThat(Stub.imports()).isZero();
        Stub.fail("ibv_import_pd", Errno.EINVAL, 1);
        assertThatThrownBy(() -> sharing.importDomain(18))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("protection domain 18");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x3FFF, 0x4000, 0x12345, 0xABCDE, 0xF_FFFF})
    void theSourcePortOfAFlowLabelIsTheHeaders(int label) {
        assertThat(AddressHandleConfig.toLid(1).withFlowLabel(label).udpSourcePort())
                .isEqualTo(Stub.udpSourcePort(label));
    }

    @Test
    void nativeObjectsAreLentWhileTheyAreOpen() {
        IbvCompletionQueue queue = verbs.queue(4);
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        int number = queuePair.withNative(handle -> {
            assertThat(handle.byteSize()).isZero();
            MemorySegment struct = handle.reinterpret(ibv_qp.sizeof());
            assertThat(ibv_qp.pd(struct).address()).isEqualTo(verbs.domain().withNative(MemorySegment::address));
            assertThat(ibv_qp.send_cq(struct).address()).isEqualTo(queue.withNative(MemorySegment::address));
            return ibv_qp.qp_num(struct);
        });
        assertThat(number).isEqualTo(queuePair.number());
        queuePair.close();
        assertThatThrownBy(() -> queuePair.withNative(handle -> 0)).isInstanceOf(IllegalStateException.class);
        try (SharedReceiveQueue shared = verbs.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(4))) {
            assertThat(shared).isInstanceOf(NativeObject.class);
            assertThat(((NativeObject) shared).<Long>withNative(MemorySegment::address))
                    .isNotZero();
        }
        NativeObject domain = verbs.domain();
        domain.withNative(handle -> {
            assertThatThrownBy(verbs.domain()::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("native object");
            return handle;
        });
    }
}
