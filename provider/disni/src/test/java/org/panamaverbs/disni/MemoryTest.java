package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.util.NativeAffinity;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Registrations through DiSNI's calls, and what DiSNI's own cannot register. */
@Timeout(60)
class MemoryTest extends ConnectedSides {
    private static final long THREE_GIB = 3L << 30;

    @Test
    void wholeBufferIsRegisteredWhateverItsPosition() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(300);
        long address = MemoryUtils.getAddress(buffer);
        buffer.position(100).limit(200);
        IbvMr mr = client.pd.regMr(buffer, Side.ALL_ACCESS).execute().free().getMr();
        assertThat(mr.getAddr()).isEqualTo(address);
        assertThat(mr.getLength()).isEqualTo(300);
        assertThat(mr.getLkey()).isEqualTo(mr.getRkey());
        assertThat(MemoryUtils.getAddress(buffer)).isEqualTo(address);
        mr.deregMr().execute().free();
        assertThatThrownBy(() -> mr.deregMr().execute())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void memoryIsRegisteredByItsAddress() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(128, 64);
            IbvMr mr = client.pd
                    .regMr(segment.address(), 128, Side.ALL_ACCESS)
                    .execute()
                    .getMr();
            assertThat(mr.getAddr()).isEqualTo(segment.address());
            mr.deregMr().execute().free();
        }
    }

    @Test
    void heapMemoryAndUnknownRightsAreRefusedWithTheRemedy() throws IOException {
        assertThatThrownBy(() -> client.pd.regMr(ByteBuffer.allocate(8), Side.ALL_ACCESS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("allocateDirect");
        assertThatThrownBy(() -> MemoryUtils.getAddress(ByteBuffer.allocate(8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allocateDirect");
        assertThatThrownBy(() -> client.pd.regMr(client.memory, 1 << 14).execute())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0x4000");
    }

    @Test
    void neitherPrefetchingNorOnDemandPagingIsPromised() throws IOException {
        assertThat(client.id.getVerbs().queryOdpSupport()).isEqualTo(-1);
        assertThat(client.mr.expPrefetchMr(client.mr.getAddr(), 8)).isEqualTo(38);
    }

    @Test
    void peerWritesBeyondTwoGibibytes(@TempDir Path directory) throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        directory.resolve("sparse"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.SPARSE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment large = file.map(FileChannel.MapMode.READ_WRITE, 0, THREE_GIB, arena);
            IbvMr mr = DisniExtensions.register(server.pd, large, Side.ALL_ACCESS);
            assertThat(DisniExtensions.buffer(mr).length()).isEqualTo(THREE_GIB);
            assertThat(Integer.toUnsignedLong(mr.getLength())).isEqualTo(THREE_GIB);
            long offset = THREE_GIB - 8;
            client.memory.putLong(0, 0x1122_3344_5566_7788L);
            client.qp
                    .postSend(
                            List.of(
                                    Requests.rdma(
                                            1,
                                            IbvSendWR.IBV_WR_RDMA_WRITE,
                                            0,
                                            mr,
                                            offset,
                                            Requests.sge(client.mr, 0, 8)),
                                    Requests.rdma(
                                            2,
                                            IbvSendWR.IBV_WR_RDMA_READ,
                                            IbvSendWR.IBV_SEND_SIGNALED,
                                            mr,
                                            offset,
                                            Requests.sge(client.mr, 8, 8))),
                            null)
                    .execute();
            client.success();
            assertThat(client.memory.getLong(8)).isEqualTo(0x1122_3344_5566_7788L);
            assertThat(large.get(ValueLayout.JAVA_BYTE, offset + 7)).isEqualTo(client.memory.get(7));
            mr.deregMr().execute().free();
        }
    }

    @Test
    void affinityIsThatOfTheCallingThread() throws InterruptedException {
        long[] before = new long[1];
        long[] after = new long[1];
        Thread thread = Thread.ofPlatform().start(() -> {
            before[0] = NativeAffinity.getAffinity();
            NativeAffinity.setAffinity(Long.lowestOneBit(before[0]));
            after[0] = NativeAffinity.getAffinity();
            NativeAffinity.setAffinity(0);
        });
        thread.join();
        assertThat(after[0]).isEqualTo(Long.lowestOneBit(before[0]));
    }
}
