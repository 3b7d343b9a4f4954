package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

class WorkRequestTest {
    private static final MemorySegment DATA = MemorySegment.ofArray(new byte[4]);

    private final WorkRequest request = WorkRequest.of(SendOpcode.RDMA_WRITE);

    /** Whatever was set: a request that is begun again is as a new one, in all that can be read of it. */
    @Test
    void aNewOperationLeavesNoStaleField() throws ReflectiveOperationException {
        AddressHandle handle = new AddressHandle() {
            @Override
            public AddressHandleConfig config() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
        request.wrId(1)
                .flags(2)
                .inline(DATA, 1, 3)
                .remote(4, 5)
                .immediate(6)
                .compareAndSwap(7, 8)
                .masks(9, 10)
                .destination(handle, 11, 12);
        for (WorkRequest begun : List.of(
                request.opcode(SendOpcode.SEND),
                WorkRequest.of(SendOpcode.RDMA_READ)
                        .local(SgList.ofCapacity(1))
                        .local(13, 14, 15)
                        .invalidate(16)
                        .add(17)
                        .fieldMask(18)
                        .opcode(SendOpcode.SEND))) {
            for (Method getter : getters()) {
                assertThat(getter.invoke(begun))
                        .as(getter.getName())
                        .isEqualTo(getter.invoke(WorkRequest.of(SendOpcode.SEND)));
            }
        }
    }

    private static List<Method> getters() {
        List<Method> getters = Arrays.stream(WorkRequest.class.getDeclaredMethods())
                .filter(each -> Modifier.isPublic(each.getModifiers()) && !Modifier.isStatic(each.getModifiers()))
                .filter(each -> each.getParameterCount() == 0
                        && !each.getName().equals("toString")
                        && !each.getName().equals("gathered"))
                .toList();
        assertThat(getters).extracting(Method::getName).contains("opcode", "list", "addressHandle");
        return getters;
    }

    @Test
    void thePayloadIsOfOneForm() {
        SgList list = SgList.ofCapacity(2).add(1, 2, 3);
        request.inline(DATA, 1, 3).local(list);
        assertThat(request.data()).isNull();
        assertThat(request.length()).isZero();
        assertThat(request.list()).isSameAs(list);
        assertThat(request.gathered()).isSameAs(list);

        request.local(4, 5, 6);
        assertThat(request.list()).isNull();
        assertThat(request.gathered().count()).isEqualTo(1);
        assertThat(request.gathered().address(0)).isEqualTo(4);
        assertThat(request.gathered().length(0)).isEqualTo(5);
        assertThat(request.gathered().lkey(0)).isEqualTo(6);

        request.inline(DATA, 1, 3);
        assertThat(request.address()).isZero();
        assertThat(request.lkey()).isZero();
        assertThat(request.data()).isSameAs(DATA);
    }

    @Test
    void checksTheRemoteBufferForWhatIsPosted() {
        RemoteBuffer remote = RemoteBuffer.of(7, 0x1000, 64, Access.REMOTE_READ);
        request.opcode(SendOpcode.RDMA_READ).remote(remote, 32).local(0, 32, 0);
        assertThat(request.checkedRemoteAddress()).isEqualTo(0x1020);
        assertThat(request.rkey()).isEqualTo(7);
        request.local(0, 33, 0);
        assertThatThrownBy(request::checkedRemoteAddress).isInstanceOf(IndexOutOfBoundsException.class);
        request.opcode(SendOpcode.RDMA_WRITE).remote(remote, 0);
        assertThatThrownBy(request::checkedRemoteAddress)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_WRITE");
        request.opcode(SendOpcode.SEND).remote(remote, 0);
        assertThat(request.checkedRemoteAddress()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // as callers without a checker may
    void saysWhatItIs() {
        assertThat(request.wrId(3).local(0, 64, 1).remote(0x1000, 0xAB))
                .hasToString("RDMA_WRITE, wr_id 3, 64 bytes, address 0x1000 under rkey 0x000000ab");
        assertThat(WorkRequest.of(SendOpcode.SEND)).hasToString("SEND, wr_id 0, 0 bytes");
        assertThatThrownBy(() -> request.local((SgList) null)).isInstanceOf(NullPointerException.class);
    }
}
