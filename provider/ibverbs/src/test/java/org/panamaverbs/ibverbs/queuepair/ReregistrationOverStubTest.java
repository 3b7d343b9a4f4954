package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/** Registrations that are changed: rights, domain and memory, and what becomes of the old buffer. */
class ReregistrationOverStubTest extends OverStub {
    // infiniband/verbs.h: enum ibv_rereg_mr_flags
    private static final int TRANSLATION = 1;
    private static final int PD = 2;
    private static final int ACCESS = 4;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_2, Feature.ZERO_BASED));
    }

    @Test
    void rightsAreChangedAndTheOldBufferEndsNothing() {
        try (RegisteredBuffer before = verbs.domain().allocate(4096, Access.LOCAL_WRITE)) {
            int key = before.lkey();
            try (RegisteredBuffer after = verbs.domain().reregister(before, Access.LOCAL_WRITE, Access.REMOTE_READ)) {
                assertThat(Stub.changes()).isEqualTo(ACCESS);
                assertThat(Stub.access()).isEqualTo(Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ));
                assertThat(after.lkey()).isNotEqualTo(key);
                assertThat(after.segment()).isEqualTo(before.segment());
                assertThat(after.iova()).isEqualTo(before.iova());
                assertThat(after.access()).isEqualTo(Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ));
                // The old one has the memory.
                assertThatThrownBy(before::close).isInstanceOf(IllegalStateException.class);
                assertThat(verbs.context().regions().find(key)).isNull();
            }
        }
    }

    @Test
    void memoryOfTheCallersOutlivesTheOldBuffer() {
        try (MemorySlab slab = MemorySlab.allocate(4096);
                MemorySlab other = MemorySlab.allocate(8192)) {
            int objects = Stub.objects();
            RegisteredBuffer before = verbs.domain().register(slab.segment(), Access.LOCAL_WRITE);
            RegisteredBuffer after = verbs.domain().reregister(before, other.segment(), Access.LOCAL_WRITE);
            assertThat(Stub.changes()).isEqualTo(ACCESS | TRANSLATION);
            assertThat(after.length()).isEqualTo(8192);
            assertThat(after.iova()).isEqualTo(other.segment().address());
            before.close();
            assertThat(Stub.objects()).as("one registration").isEqualTo(objects + 1);
            IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(4)));
            queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
            assertThat(queuePair.send(1, after, 8000, 192, SendFlag.SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
            after.close();
        }
    }

    @Test
    void registrationsMoveToAnotherDomain() {
        try (IbvProtectionDomain second = IbvProtectionDomain.create(verbs.context());
                RegisteredBuffer before = verbs.domain().allocate(4096, Access.LOCAL_WRITE, Access.ZERO_BASED);
                RegisteredBuffer after = second.reregister(before, Access.LOCAL_WRITE)) {
            assertThat(Stub.changes()).isEqualTo(ACCESS | PD);
            assertThat(after.isOf(second)).isTrue();
            assertThat(after.iova()).isZero();
            assertThat(second.registrations().of(after).lkey()).isEqualTo(after.lkey());
        }
    }

    @Test
    void whatIsDoneButForForkIsDone() {
        Stub.fail("fork of old memory", Errno.ENOMEM, 1);
        try (RegisteredBuffer before = verbs.domain().allocate(4096, Access.LOCAL_WRITE);
                RegisteredBuffer after = verbs.domain().reregister(before)) {
            assertThat(after.access()).isZero();
        }
    }

    @Test
    void aDriverWithoutItLeavesTheBufferAsItWas() {
        Stub.fail("ibv_rereg_mr", Errno.EOPNOTSUPP, 1);
        try (RegisteredBuffer buffer = verbs.domain().allocate(4096, Access.LOCAL_WRITE)) {
            assertThatThrownBy(() -> verbs.domain().reregister(buffer, Access.LOCAL_WRITE))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(buffer.resourceName());
            assertThat(verbs.domain().registrations().of(buffer).lkey()).isEqualTo(buffer.lkey());
        }
    }

    @Test
    void aRefusalOfTheKernelSaysThatTheBufferIsOfNoUse() {
        Stub.fail("ibv_rereg_mr", Errno.ENOMEM, 1);
        try (RegisteredBuffer buffer = verbs.domain().allocate(4096, Access.LOCAL_WRITE)) {
            assertThatThrownBy(() -> verbs.domain().reregister(buffer, Access.LOCAL_WRITE))
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining("close the buffer");
        }
    }

    @Test
    void aWindowThatIsBoundKeepsIt() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(4)));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        try (RegisteredBuffer buffer = verbs.domain()
                        .allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND);
                MemoryWindow window = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2)) {
            PostStatus.check(queuePair.bind(1, window, buffer, 0, 64, SendFlag.SIGNALED, Access.REMOTE_WRITE));
            assertThatThrownBy(() -> verbs.domain().reregister(buffer, Access.LOCAL_WRITE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("window");
        }
    }

    @Test
    void aBufferOfAnotherDeviceIsRefused() {
        try (StubVerbs other = new StubVerbs();
                RegisteredBuffer theirs = other.domain().allocate(64, Access.LOCAL_WRITE)) {
            assertThatThrownBy(() -> verbs.domain().reregister(theirs, Access.LOCAL_WRITE))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aBaseOfOnesOwnIsGivenToTheDevice() {
        try (MemorySlab slab = MemorySlab.allocate(4096);
                RegisteredBuffer buffer = verbs.domain().register(slab.segment(), 0x1234_5000L, Access.LOCAL_WRITE)) {
            assertThat(Stub.iovaPage()).isEqualTo(0x12345);
            assertThat(buffer.checkedAddress(8, 8)).isEqualTo(0x1234_5008L);
        }
    }
}
