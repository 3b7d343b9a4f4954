package org.panamaverbs.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.iwarp.iovec.IoVector;

/** Sockets do the same in each form. */
@Timeout(120)
class SocketsTest {
    private static byte[] random(int length) {
        byte[] octets = new byte[length];
        new Random(length).nextBytes(octets);
        return octets;
    }

    /** One buffer with where it lies. */
    private static IoVector addressed(ByteBuffer view, MemorySegment memory) {
        IoVector vector = new IoVector(1);
        vector.add(view, MemorySegment.ofAddress(memory.address()));
        return vector;
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void movesNothingBetweenThePeerAndMemoryThatItsOwnerHasClosed(String form) throws Exception {
        try (Pair pair = Pair.of(Pair.sockets(form))) {
            Arena arena = Arena.ofShared();
            MemorySegment memory = arena.allocate(100);
            ByteBuffer view = memory.asByteBuffer();
            ByteBuffer behind = ByteBuffer.allocateDirect(100);
            IoVector both = new IoVector(2);
            both.add(view, memory);
            both.add(behind, MemorySegment.NULL);
            pair.client().write(IoVector.of(ByteBuffer.wrap(random(80))));
            arena.close();

            assertThat(pair.server().write(both)).isZero();
            for (int i = 0; i < 1000; i++) {
                assertThat(pair.server().read(both)).isZero();
            }
            assertThat(view.position()).isZero();
            assertThat(behind.position()).isZero();
            byte[] octets = new byte[80];
            ByteBuffer into = ByteBuffer.wrap(octets);
            while (into.hasRemaining()) {
                pair.server().read(into);
            }
            assertThat(octets).isEqualTo(random(80));
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void gathersFromNativeMemoryAndTheHeap(String form) throws IOException {
        byte[] octets = random(1000);
        try (Pair pair = Pair.of(Pair.sockets(form));
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(1000);
            MemorySegment.copy(octets, 0, memory, ValueLayout.JAVA_BYTE, 0, 1000);
            IoVector from = new IoVector(6);
            from.add(ByteBuffer.allocateDirect(1), MemorySegment.NULL);
            from.skip();
            from.add(memory.asByteBuffer().limit(100), MemorySegment.ofAddress(memory.address()));
            from.add(memory.asByteBuffer().position(100).limit(100), MemorySegment.NULL);
            from.add(ByteBuffer.wrap(octets, 100, 300), MemorySegment.NULL);
            from.add(memory.asSlice(400).asByteBuffer().limit(100), memory.asSlice(400));
            from.add(memory.asByteBuffer().position(500), MemorySegment.NULL);

            assertThat(pair.client().write(from)).isEqualTo(1000);
            assertThat(from.moved()).isEqualTo(1000);
            for (int i = from.first(); i < from.end(); i++) {
                assertThat(from.buffer(i).hasRemaining()).isFalse();
            }
            assertThat(pair.receive(1000)).isEqualTo(octets);
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void sendsFromNativeMemoryAndTheHeap(String form) throws IOException {
        byte[] octets = random(300);
        try (Pair pair = Pair.of(Pair.sockets(form));
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(400);
            MemorySegment.copy(MemorySegment.ofArray(octets), 0, memory, 50, 100);
            ByteBuffer view = memory.asByteBuffer().position(50).limit(150);
            ByteBuffer heap = ByteBuffer.wrap(octets).position(100);
            assertThat(pair.client().write(addressed(view, memory))).isEqualTo(100);
            assertThat(pair.client().write(heap)).isEqualTo(200);
            assertThat(pair.client().write(heap)).isZero();
            assertThat(view.hasRemaining() || heap.hasRemaining()).isFalse();
            assertThat(pair.receive(300)).isEqualTo(octets);
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void takesOfOneBufferWhatThereIsRoomFor(String form) throws IOException {
        byte[] octets = random(32 << 20);
        try (Pair pair = Pair.of(Pair.sockets(form))) {
            for (ByteBuffer from : List.of(ByteBuffer.wrap(octets), ByteBuffer.allocateDirect(octets.length))) {
                int sent = pair.client().write(from);
                assertThat(sent).isLessThan(octets.length).isEqualTo(from.position());
                byte[] expected = from.isDirect() ? new byte[sent] : Arrays.copyOf(octets, sent);
                assertThat(pair.receive(sent)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void receivesIntoNativeMemoryAndTheHeap(String form) throws IOException {
        byte[] octets = random(300);
        try (Pair pair = Pair.of(Pair.sockets(form));
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(400);
            ByteBuffer view = memory.asByteBuffer().position(50).limit(150);
            ByteBuffer heap = ByteBuffer.allocate(500).position(20).limit(320);
            assertThat(pair.server().read(addressed(view, memory))).isZero();
            assertThat(pair.client().write(IoVector.of(ByteBuffer.wrap(octets))))
                    .isEqualTo(300);

            while (view.hasRemaining()) {
                assertThat(pair.server().read(addressed(view, memory))).isNotNegative();
            }
            while (heap.position() < 220) {
                assertThat(pair.server().read(heap)).isNotNegative();
            }
            assertThat(memory.asSlice(50, 100).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Arrays.copyOf(octets, 100));
            assertThat(memory.get(ValueLayout.JAVA_BYTE, 150)).isZero();
            assertThat(Arrays.copyOfRange(heap.array(), 20, 220)).isEqualTo(Arrays.copyOfRange(octets, 100, 300));
            assertThat(pair.server().read(heap)).isZero();
            assertThat(pair.server().read(heap.limit(heap.position()))).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void leavesWhatFindsNoRoom(String form) throws IOException {
        byte[] octets = random(100_000);
        try (Pair pair = Pair.of(Pair.sockets(form))) {
            ByteBuffer source = ByteBuffer.allocateDirect(octets.length).put(octets);
            ByteBuffer[] from = {source, source.duplicate(), source.duplicate()};
            long sent = 0;
            long last = 1;
            while (last > 0) {
                for (ByteBuffer buffer : from) {
                    buffer.clear();
                }
                last = pair.client().write(IoVector.of(from));
                sent += last;
                if (last < 300_000) {
                    break;
                }
            }
            // What was left over of the three is exactly what the positions say.
            long moved = Stream.of(from).mapToLong(ByteBuffer::position).sum();
            assertThat(moved).isEqualTo(last);
            byte[] all = pair.receive((int) sent);
            for (int i = 0; i < all.length; i++) {
                if (all[i] != octets[i % octets.length]) {
                    throw new AssertionError("byte " + i);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void endsWithAFinOrAReset(String form) throws IOException {
        try (Pair pair = Pair.of(Pair.sockets(form))) {
            pair.client().shutdownOutput();
            ByteBuffer into = ByteBuffer.allocateDirect(8);
            int octets = 0;
            while (octets == 0) {
                octets = pair.server().read(into);
            }
            assertThat(octets).isNegative();
            // The other direction goes on.
            assertThat(pair.server().write(IoVector.of(ByteBuffer.allocateDirect(4))))
                    .isEqualTo(4);
        }
        try (Pair pair = Pair.of(Pair.sockets(form))) {
            pair.client().close(true);
            ByteBuffer into = ByteBuffer.allocateDirect(8);
            assertThatThrownBy(() -> {
                        while (pair.server().read(into) == 0) {
                            Thread.onSpinWait();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .message()
                    .startsWithIgnoringCase("connection reset");
            assertThatThrownBy(() -> pair.server().write(IoVector.of(ByteBuffer.allocateDirect(4))))
                    .isInstanceOf(IOException.class);
            assertThat(pair.server().remoteAddress())
                    .as("the peer, of which the system knows nothing any more")
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void saysWhyItCannotConnectOrBind(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        TcpServer taken = sockets.listen(Pair.ANY_PORT, 1, true);
        InetSocketAddress address = taken.localAddress();
        assertThatThrownBy(() -> sockets.listen(address, 1, true))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("Address already in use");
        taken.close();
        assertThat(taken.isOpen()).isFalse();

        TcpSocket socket = sockets.open(false);
        assertThatThrownBy(() -> {
                    socket.connect(address);
                    while (!socket.finishConnect()) {
                        Thread.onSpinWait();
                    }
                })
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("Connection refused");
        socket.close();
        assertThatThrownBy(() -> socket.bind(Pair.ANY_PORT)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> socket.read(ByteBuffer.allocateDirect(1))).isInstanceOf(ClosedChannelException.class);
        socket.close();
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void knowsTheAddressesOfBothEnds(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        try (Pair pair = Pair.of(sockets)) {
            assertThat(pair.client().localAddress()).isEqualTo(pair.server().remoteAddress());
            assertThat(pair.client().remoteAddress()).isEqualTo(pair.server().localAddress());
        }
        TcpSocket bound = sockets.open(false);
        bound.bind(Pair.ANY_PORT);
        assertThat(bound.localAddress().getAddress()).isEqualTo(Pair.ANY_PORT.getAddress());
        assertThat(bound.localAddress().getPort()).isPositive();
        bound.close();
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void listensForBothFamiliesAtTheWildcard(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        TcpServer server = sockets.listen(new InetSocketAddress(0), 4, true);
        int port = server.localAddress().getPort();
        for (String host : List.of("127.0.0.1", "::1")) {
            InetAddress address = InetAddress.ofLiteral(host);
            TcpSocket client = sockets.open(host.contains(":"));
            try {
                client.connect(new InetSocketAddress(address, port));
            } catch (IOException e) {
                // A machine without IPv6.
                assertThat(host).isEqualTo("::1");
                continue;
            }
            TcpSocket accepted = Pair.accepted(server);
            assertThat(accepted.remoteAddress().getAddress()).isEqualTo(address);
            client.close();
            accepted.close();
        }
        server.close();
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void takesOptions(String form) throws IOException {
        try (Pair pair = Pair.of(Pair.sockets(form))) {
            pair.client().keepalive(new Keepalive(true, 33, 7, 5));
            pair.client().keepalive(new Keepalive(false, 1, 1, 1));
            pair.client().typeOfService(16);
        }
    }

    // ---- waiting --------------------------------------------------------------------------------------------------
}
