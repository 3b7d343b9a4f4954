package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.MemoryAdvice;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.memory.IbvDeviceMemory;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** Registrations of what is no memory of the process, memory of the device, and advice. */
class ExtensionRegionsOverStubTest extends OverStub {
    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(
                Feature.DEVICE_MEMORY,
                Feature.NULL_REGION,
                Feature.ON_DEMAND_PAGING,
                Feature.IMPLICIT_ON_DEMAND_PAGING));
    }

    private IbvQueuePair ready() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return queuePair;
    }

    @Test
    void memoryOfTheDeviceIsCopiedAndNamedByRequests() {
        try (IbvDeviceMemory memory = IbvDeviceMemory.allocate(verbs.context(), 256, 6);
                Arena arena = Arena.ofConfined()) {
            assertThat(memory.length()).isEqualTo(256);
            byte[] data = {1, 2, 3, 4, 5, 6, 7, 8};
            memory.write(16, MemorySegment.ofArray(data));
            byte[] back = new byte[8];
            memory.read(16, MemorySegment.ofArray(back));
            assertThat(back).isEqualTo(data);
            MemorySegment outside = arena.allocate(4).fill((byte) 9);
            memory.write(18, outside);
            memory.read(16, MemorySegment.ofArray(back));
            assertThat(back).containsExactly(1, 2, 9, 9, 9, 9, 7, 8);
            try (RegisteredBuffer buffer =
                    verbs.domain().register(memory, 64, 128, Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
                assertThat(Stub.access() & Access.ZERO_BASED.bit()).isNotZero();
                assertThat(buffer.hasSegment()).isFalse();
                assertThat(buffer.iova()).isZero();
                assertThat(ready().send(1, buffer, 0, 128, SendFlag.SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
                assertThatThrownBy(memory::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("registration");
            }
        }
    }

    @Test
    void whatIsNotWithinMemoryOfTheDeviceIsRefused() {
        IbvDeviceMemory memory = IbvDeviceMemory.allocate(verbs.context(), 64, 0);
        MemorySegment host = MemorySegment.ofArray(new byte[16]);
        assertThatThrownBy(() -> memory.write(49, host)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> memory.read(-1, host)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> verbs.domain().register(memory, 32, 33, Access.LOCAL_WRITE))
                .isInstanceOf(IndexOutOfBoundsException.class);
        Stub.fail("ibv_memcpy_to_dm", Errno.EINVAL, 1);
        assertThatThrownBy(() -> memory.write(0, host))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("16 bytes at offset 0");
        memory.close();
        assertThatThrownBy(() -> memory.write(0, host)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> IbvDeviceMemory.allocate(verbs.context(), 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        Stub.fail("ibv_alloc_dm", Errno.ENOMEM, 1);
        assertThatThrownBy(() -> IbvDeviceMemory.allocate(verbs.context(), 1 << 20, 0))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("1048576 bytes");
    }

    @Test
    void aRefusedRegistrationLeavesTheMemoryToBeClosed() {
        IbvDeviceMemory memory = IbvDeviceMemory.allocate(verbs.context(), 64, 0);
        Stub.fail("ibv_reg_dm_mr", Errno.ENOMEM, 1);
        assertThatThrownBy(() -> verbs.domain().register(memory, 0, 64, Access.LOCAL_WRITE))
                .isInstanceOf(ResourceException.class);
        memory.close();
    }

    @Test
    void theNullRegionHasAnyOffsetAndNothingToTouch() {
        try (RegisteredBuffer nothing = verbs.domain().nullRegion()) {
            assertThat(nothing.hasSegment()).isFalse();
            assertThat(nothing.rkey()).isZero();
            assertThat(nothing.access()).isEqualTo(Access.LOCAL_WRITE.bit());
            assertThat(ready().recv(1, nothing, 1L << 40, 1 << 20)).isEqualTo(PostStatus.ACCEPTED);
            assertThatThrownBy(nothing::segment)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("no segment");
        }
    }

    @Test
    void allMemoryIsNamedByItsAddress() {
        try (RegisteredBuffer everything = verbs.domain().registerAddressSpace(Access.LOCAL_WRITE);
                Arena arena = Arena.ofConfined()) {
            assertThat(Stub.access()).isEqualTo(Access.mask(Access.LOCAL_WRITE, Access.ON_DEMAND));
            MemorySegment anywhere = arena.allocate(64);
            assertThat(everything.checkedAddress(anywhere.address(), 64)).isEqualTo(anywhere.address());
            assertThat(ready().send(1, everything, anywhere.address(), 64, SendFlag.SIGNALED))
                    .isEqualTo(PostStatus.ACCEPTED);
        }
    }

    @ParameterizedTest
    @CsvSource({"PREFETCH, 0", "PREFETCH_WRITE, 1", "PREFETCH_NO_FAULT, 2"})
    void adviceIsGivenWithItsRanges(MemoryAdvice advice, int code) {
        try (RegisteredBuffer buffer = verbs.domain().allocate(4096, Access.LOCAL_WRITE, Access.ON_DEMAND)) {
            SgList ranges = SgList.ofCapacity(2).add(buffer, 0, 100).add(buffer, 512, 1000);
            verbs.domain().advise(advice, true, ranges);
            // rdma/ib_user_ioctl_verbs.h: the codes, and 1 for the flag
            assertThat(Stub.advice()).isEqualTo(code);
            assertThat(Stub.adviceFlags()).isEqualTo(1);
            assertThat(Stub.advised()).isEqualTo(1100);
            verbs.domain().advise(advice, false, ranges);
            assertThat(Stub.adviceFlags()).isZero();
        }
    }

    @Test
    void adviceThatIsRefusedSaysSo() {
        try (RegisteredBuffer buffer = verbs.domain().allocate(4096, Access.LOCAL_WRITE, Access.ON_DEMAND)) {
            SgList ranges = SgList.ofCapacity(1).add(buffer, 0, 100);
            Stub.fail("ibv_advise_mr", Errno.EOPNOTSUPP, 1);
            assertThatThrownBy(() -> verbs.domain().advise(MemoryAdvice.PREFETCH, true, ranges))
                    .isInstanceOf(UnsupportedOperationException.class);
            Stub.fail("ibv_advise_mr", Errno.EFAULT, 1);
            assertThatThrownBy(() -> verbs.domain().advise(MemoryAdvice.PREFETCH, true, ranges))
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining("PREFETCH of 1 ranges");
        }
    }
}
