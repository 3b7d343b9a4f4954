package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/** Two contexts exchange every operation over TCP on this machine, whatever was negotiated. */
@Timeout(60)
class LoopbackTest {
    private static final int RECEIVE_BYTES = 8192;

    static Stream<Arguments> variants() {
        return Stream.of(
                Arguments.of("127.0.0.1", new String[] {"shm=off"}),
                Arguments.of("::1", new String[] {"shm=off"}),
                Arguments.of("127.0.0.1", new String[] {"shm=off", "crc=off", "rtr=read"}),
                Arguments.of("127.0.0.1", new String[] {"shm=off", "markers=on", "fpdu.max=1460", "rtr=send"}),
                Arguments.of("127.0.0.1", new String[] {"shm=off", "revision=1"}),
                Arguments.of("127.0.0.1", new String[] {}),
                Arguments.of("::1", new String[] {}),
                Arguments.of("127.0.0.1", new String[] {"rtr=send"}),
                Arguments.of("127.0.0.1", new String[] {"revision=1"}));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void exchangesEveryOperation(String host, String[] options) throws Exception {
        try (Peer client = new Peer(options);
                Peer server = new Peer(options);
                Listener listener = server.verbs.listen(new InetSocketAddress(InetAddress.getByName(host), 0))) {
            Peer.connect(client, server, listener, queuePair -> postReceives(server, queuePair));
            sends(client, server);
            oneSided(client, server);
            atomics(client, server);
            immediates(client, server);
            windows(client, server);
            batches(client, server);
        }
    }

    private static void postReceives(Peer server, QueuePair queuePair) {
        for (int i = 0; i < 16; i++) {
            PostStatus.check(queuePair.recv(100 + i, server.buffer, (long) i * RECEIVE_BYTES, RECEIVE_BYTES));
        }
    }

    private static void sends(Peer client, Peer server) {
        QueuePair queuePair = client.queuePair();
        fill(client.buffer.segment(), 1);

        PostStatus.check(queuePair.send(1, client.buffer, 0, 5000, SIGNALED));
        assertThat(client.nextOk().opcode()).isEqualTo(WcOpcode.SEND);
        WorkCompletion received = server.nextOk();
        assertThat(received.wrId()).isEqualTo(100);
        assertThat(received.byteCount()).isEqualTo(5000);
        assertThat(received.qpNumber()).isEqualTo(server.queuePair().number());
        assertSame(client, 0, server, 0, 5000);

        SgList pieces = SgList.ofCapacity(3)
                .add(client.buffer, 0, 10)
                .add(client.buffer, 1000, 3000)
                .add(client.buffer, 10, 1);
        PostStatus.check(queuePair.send(2, pieces, SIGNALED));
        client.nextOk();
        assertThat(server.nextOk().byteCount()).isEqualTo(3011);
        assertSame(client, 1000, server, RECEIVE_BYTES + 10, 3000);

        byte[] inline = {1, 2, 3};
        PostStatus.check(queuePair.sendInline(3, MemorySegment.ofArray(inline), 0, 3, SIGNALED));
        client.nextOk();
        assertThat(server.nextOk().byteCount()).isEqualTo(3);

        PostStatus.check(queuePair.send(4, client.buffer, 0, 0, SIGNALED));
        client.nextOk();
        assertThat(server.nextOk().byteCount()).isZero();
    }

    private static void oneSided(Peer client, Peer server) {
        QueuePair queuePair = client.queuePair();
        RemoteBuffer remote = Peer.remote(server);
        int bytes = 400_001;
        fill(client.buffer.segment(), 2);

        PostStatus.check(queuePair.write(5, client.buffer, 7, bytes, remote, 500_000, SIGNALED));
        assertThat(client.nextOk().opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        PostStatus.check(queuePair.read(6, client.buffer, 500_003, bytes, remote, 500_000, SIGNALED));
        WorkCompletion read = client.nextOk();

        assertThat(read.opcode()).isEqualTo(WcOpcode.RDMA_READ);
        assertThat(read.byteCount()).isEqualTo(bytes);
        assertSame(client, 7, server, 500_000, bytes);
        assertSame(client, 500_003, server, 500_000, bytes);
    }

    private static void atomics(Peer client, Peer server) {
        QueuePair queuePair = client.queuePair();
        RemoteBuffer remote = Peer.remote(server);
        long cell = Peer.BUFFER_BYTES - 8;
        server.buffer.segment().set(ValueLayout.JAVA_LONG, cell, 40);

        PostStatus.check(queuePair.fetchAdd(7, client.buffer, 0, remote, cell, 2, SIGNALED));
        assertThat(client.nextOk().opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(client.buffer.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
        PostStatus.check(queuePair.cmpSwap(8, client.buffer, 0, remote, cell, 42, -1, SIGNALED));
        assertThat(client.nextOk().opcode()).isEqualTo(WcOpcode.CMP_SWAP);
        assertThat(client.buffer.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
        PostStatus.check(queuePair.maskedCmpSwap(9, client.buffer, 0, remote, cell, 0xFF, 0, 0xFF, 0xFF, SIGNALED));
        client.nextOk();
        assertThat(server.buffer.segment().get(ValueLayout.JAVA_LONG, cell)).isEqualTo(-256);
    }

    private static void immediates(Peer client, Peer server) {
        QueuePair queuePair = client.queuePair();
        PostStatus.check(queuePair.immediate(10, 0x1122334455667788L, SIGNALED));
        assertThat(client.nextOk().opcode()).isEqualTo(WcOpcode.IMMEDIATE);
        WorkCompletion alone = server.nextOk();
        assertThat(alone.opcode()).isEqualTo(WcOpcode.RECV_IMMEDIATE);
        assertThat(alone.immediate()).isEqualTo(0x1122334455667788L);

        PostStatus.check(
                queuePair.writeWithImmediate(11, client.buffer, 0, 3000, Peer.remote(server), 700_000, 5, SIGNALED));
        client.nextOk();
        assertThat(server.nextOk().immediate()).isEqualTo(5);
        assertSame(client, 0, server, 700_000, 3000);
    }

    private static void windows(Peer client, Peer server) {
        try (MemoryWindow window = server.domain.memoryWindow(MemoryWindow.Type.TYPE_2)) {
            PostStatus.check(
                    server.queuePair().bind(12, window, server.buffer, 4096, 4096, SIGNALED, Access.REMOTE_WRITE));
            assertThat(server.nextOk().opcode()).isEqualTo(WcOpcode.BIND_WINDOW);
            fill(client.buffer.segment(), 3);
            PostStatus.check(client.queuePair().write(13, client.buffer, 0, 4096, window.remote(), 0, SIGNALED));
            client.nextOk();
            PostStatus.check(client.queuePair().sendWithInvalidate(14, client.buffer, 0, 1, window.rkey(), SIGNALED));
            client.nextOk();
            WorkCompletion received = server.nextOk();
            assertThat(received.hasInvalidatedRkey()).isTrue();
            assertThat(received.invalidatedRkey()).isEqualTo(window.rkey());
            assertSame(client, 0, server, 4096, 4096);
        }
    }

    private static void batches(Peer client, Peer server) {
        Batch batch = client.queuePair().batch();
        RemoteBuffer remote = Peer.remote(server);
        for (int i = 0; i < 8; i++) {
            PostStatus.check(batch.write(20 + i, client.buffer, i * 100L, 100, remote, i * 100L, SIGNALED));
        }
        assertThat(client.queue.poll(org.panamaverbs.api.WorkCompletions.ofCapacity(1)))
                .as("nothing is sent before submit")
                .isZero();
        assertThat(batch.submit()).isEqualTo(8);
        for (int i = 0; i < 8; i++) {
            WorkCompletion done = client.nextOk();
            assertThat(done.wrId()).isEqualTo(20 + i);
            assertThat(done.status()).isEqualTo(WcStatus.SUCCESS);
        }
        PostStatus.check(batch.write(30, client.buffer, 0, 1, remote, 0, SIGNALED));
        batch.discard();
        assertThat(batch.submit()).isZero();
    }

    private static void fill(MemorySegment segment, int seed) {
        byte[] bytes = new byte[(int) segment.byteSize()];
        new Random(seed).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    private static void assertSame(Peer client, long offset, Peer server, long serverOffset, long bytes) {
        MemorySegment ours = client.buffer.segment().asSlice(offset, bytes);
        MemorySegment theirs = server.buffer.segment().asSlice(serverOffset, bytes);
        assertThat(ours.mismatch(theirs)).isEqualTo(-1);
    }
}
