package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** Memory that peers write, as riomap, riounmap and riowrite of C have it. */
@Timeout(60)
class IomapTest {
    private static final int BYTES = 1_000_000;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(BYTES);
    private Channels channels = new Channels(Channels.Way.RDMA_OVER_TCP);

    @AfterEach
    void close() throws IOException {
        channels.close();
        arena.close();
    }

    /** Two channels, each of which can write to {@code entries} mappings of the other. */
    private Channels.Pair pair(int entries) throws IOException {
        ServerSocketChannel listener = channels.closing(channels.provider().openServerSocketChannel())
                .setOption(RdmaSockets.IOMAP_SIZE, entries)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketChannel client = channels.channel().setOption(RdmaSockets.IOMAP_SIZE, entries);
        client.connect(listener.getLocalAddress());
        return new Channels.Pair(client, channels.closing(Objects.requireNonNull(listener.accept())));
    }

    /** Sends a byte the one way and back: what was sent before is there. */
    private static void meet(SocketChannel first, SocketChannel second) throws IOException {
        pass(first, second);
        pass(second, first);
    }

    private static void pass(SocketChannel from, SocketChannel to) throws IOException {
        from.write(Channels.octets(1));
        assertThat(to.read(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    private static byte[] counting(int bytes) {
        byte[] octets = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            octets[i] = (byte) (i * 7 + (i >> 9));
        }
        return octets;
    }

    private static byte[] octets(MemorySegment some) {
        return some.toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @EnumSource(names = {"RDMA_OVER_TCP", "RDMA_BY_SHARED_MEMORY"})
    void whatIsWrittenIsThereBeforeWhatIsSentAfterwards(Channels.Way way) throws IOException {
        channels.close();
        channels = new Channels(way);
        Channels.Pair pair = pair(2);
        RegisteredBuffer mapped = RdmaSockets.iomap(pair.server(), memory.asSlice(1000, BYTES - 2000), 5000);
        meet(pair.server(), pair.client());

        ByteBuffer source = ByteBuffer.wrap(counting(BYTES - 2000));
        assertThat(RdmaSockets.iowrite(pair.client(), source, 5000)).isEqualTo(BYTES - 2000);
        assertThat(source.hasRemaining()).isFalse();
        RdmaSockets.iowrite(pair.client(), ByteBuffer.wrap(new byte[] {1, 2, 3}), 5100);
        pass(pair.client(), pair.server());
        byte[] expected = new byte[BYTES];
        System.arraycopy(counting(BYTES - 2000), 0, expected, 1000, BYTES - 2000);
        System.arraycopy(new byte[] {1, 2, 3}, 0, expected, 1100, 3);
        assertThat(octets(memory)).isEqualTo(expected);
        mapped.close();
    }

    @Test
    void eachSideHasItsOwn() throws IOException {
        Channels.Pair pair = pair(1);
        MemorySegment half = memory.asSlice(0, BYTES / 2);
        MemorySegment other = memory.asSlice(BYTES / 2);
        RdmaSockets.iomap(pair.client(), half, 0);
        RdmaSockets.iomap(pair.server(), other, 0);
        meet(pair.client(), pair.server());
        RdmaSockets.iowrite(pair.client(), Channels.octets(1), 0);
        RdmaSockets.iowrite(pair.server(), Channels.octets(2), 0);
        meet(pair.client(), pair.server());
        assertThat(other.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 1);
        assertThat(half.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
    }

    @Test
    void oneWriteGoesOnFromMappingToMappingAndEndsWithTheLast() throws IOException {
        Channels.Pair pair = pair(2);
        RdmaSockets.iomap(pair.server(), memory.asSlice(100, 10), 20);
        RdmaSockets.iomap(pair.server(), memory.asSlice(0, 10), 30);
        meet(pair.server(), pair.client());
        ByteBuffer source = ByteBuffer.wrap(counting(50));
        assertThat(RdmaSockets.iowrite(pair.client(), source, 25)).isEqualTo(15);
        assertThat(source.position()).isEqualTo(15);
        assertThatThrownBy(() -> RdmaSockets.iowrite(pair.client(), source, 40))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no mapping at offset 40");
        pass(pair.client(), pair.server());
        assertThat(memory.asSlice(105, 5).mismatch(MemorySegment.ofArray(counting(5))))
                .isEqualTo(-1);
        assertThat(octets(memory.asSlice(0, 10))).isEqualTo(java.util.Arrays.copyOfRange(counting(15), 5, 15));
    }

    @Test
    void thePeerHasRoomForSoManyAtOnce() throws IOException {
        Channels.Pair pair = pair(2);
        RegisteredBuffer first = RdmaSockets.iomap(pair.server(), memory.asSlice(0, 10), 0);
        RdmaSockets.iomap(pair.server(), memory.asSlice(10, 10), 10);
        assertThatThrownBy(() -> RdmaSockets.iomap(pair.server(), memory.asSlice(20, 10), 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("room for 2 mappings");
        first.close();
        RdmaSockets.iomap(pair.server(), memory.asSlice(20, 10), 20);
        meet(pair.server(), pair.client());
        RdmaSockets.iowrite(pair.client(), Channels.octets(9), 20);
        pass(pair.client(), pair.server());
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 20)).isEqualTo((byte) 9);
        Channels.Pair without = channels.pair();
        assertThatThrownBy(() -> RdmaSockets.iomap(without.client(), memory, 0))
                .hasMessageContaining("room for 0 mappings");
    }

    /** More than there are credits for: they come back, and no byte overtakes its mapping. */
    @Test
    void memoryMayBeMappedAgainAndAgain() throws IOException {
        Channels.Pair pair = pair(1);
        for (int i = 0; i < 1000; i++) {
            RdmaSockets.iomap(pair.server(), memory.asSlice(i, 1), i).close();
        }
        RdmaSockets.iomap(pair.server(), memory.asSlice(1000, 1), 1000);
        meet(pair.server(), pair.client());
        RdmaSockets.iowrite(pair.client(), Channels.octets(9), 1000);
        pass(pair.client(), pair.server());
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 1000)).isEqualTo((byte) 9);
    }

    @Test
    void whoWritesWhatIsNotMappedAnyMoreEndsItsConnectionAlone() throws IOException {
        Channels.Pair pair = pair(1);
        Channels.Pair others = pair(1);
        RegisteredBuffer mapped = RdmaSockets.iomap(pair.server(), memory.asSlice(0, 10), 0);
        RdmaSockets.iomap(others.server(), memory.asSlice(10, 10), 0);
        meet(pair.server(), pair.client());
        meet(others.server(), others.client());
        mapped.close();
        RdmaSockets.iowrite(pair.client(), Channels.octets(1), 0);
        assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
        RdmaSockets.iowrite(others.client(), Channels.octets(2), 0);
        pass(others.client(), others.server());
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 10)).isEqualTo((byte) 2);
    }

    @Test
    void mappingsEndWithTheirChannel() throws Exception {
        Channels.Pair pair = pair(1);
        RegisteredBuffer mapped = RdmaSockets.iomap(pair.server(), memory, 0);
        assertThat(mapped.access()).isEqualTo(Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        pair.server().close();
        pair.client().close();
        channels.close();
        assertThat(mapped.isOpen()).isFalse();
        mapped.close();
    }

    @Test
    void aChannelThatDoesNotBlockWritesWhatThereIsRoomFor() throws IOException {
        Channels.Pair pair = pair(1);
        RdmaSockets.iomap(pair.server(), memory, 0);
        meet(pair.server(), pair.client());
        pair.client().configureBlocking(false);
        ByteBuffer source = ByteBuffer.wrap(counting(BYTES));
        int first = RdmaSockets.iowrite(pair.client(), source, 0);
        assertThat(first).isPositive().isLessThanOrEqualTo(BYTES);
        while (source.hasRemaining()) {
            RdmaSockets.iowrite(pair.client(), source, source.position());
        }
        pair.client().configureBlocking(true);
        pass(pair.client(), pair.server());
        assertThat(octets(memory)).isEqualTo(counting(BYTES));
    }

    @Test
    void whatCannotBeMappedOrWrittenIsRefused() throws IOException {
        Channels.Pair pair = pair(1);
        assertThatThrownBy(() -> RdmaSockets.iomap(pair.client(), MemorySegment.ofArray(new byte[10]), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RdmaSockets.iomap(pair.client(), memory, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RdmaSockets.iomap(channels.channel(), memory, 0))
                .isInstanceOf(NotYetConnectedException.class);
        try (SocketChannel plain = SocketChannel.open()) {
            assertThatThrownBy(() -> RdmaSockets.iowrite(plain, ByteBuffer.allocate(1), 0))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("RdmaSockets");
        }
        assertThatThrownBy(() -> pair.client().setOption(RdmaSockets.IOMAP_SIZE, 32_513))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RDMA_IOMAPSIZE");
        pair.client().shutdownOutput();
        assertThatThrownBy(() -> RdmaSockets.iomap(pair.client(), memory, 0))
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> RdmaSockets.iowrite(pair.client(), ByteBuffer.allocate(1), 0))
                .isInstanceOf(ClosedChannelException.class);
    }
}
