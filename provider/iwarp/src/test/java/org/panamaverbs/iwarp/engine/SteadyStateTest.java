package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.ReceiveQueue;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.wire.Allocation;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** Posting and polling allocate nothing once they run; in spin mode, so that one thread does the work of both sides. */
@Timeout(120)
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
@Tag("alone")
class SteadyStateTest {
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);

    private void await(Peer peer, Peer other) {
        while (peer.queue.poll(completions) == 0) {
            other.queue.poll(completions);
        }
        if (!completions.get(0).ok()) {
            throw new AssertionError(completions.get(0).toString());
        }
    }

    /** Waits until each has completed a request: an unsignaled one would keep its place in the queue. */
    private void awaitEach(Peer peer, Peer other) {
        for (int left = 2; left > 0; ) {
            left -= successes(peer);
            left -= successes(other);
        }
    }

    private int successes(Peer peer) {
        int count = peer.queue.poll(completions);
        if (count != 0 && !completions.get(0).ok()) {
            throw new AssertionError(completions.get(0).toString());
        }
        return count;
    }

    @ParameterizedTest
    @CsvSource({"RDMA_WRITE, 64", "RDMA_READ, 64", "RDMA_WRITE, 4096", "RDMA_READ, 4096"})
    void readsAndWritesAllocateNothing(SendOpcode operation, int length) throws Exception {
        try (Peer client = new Peer("shm=off", "progress=spin");
                Peer server = new Peer("shm=off", "progress=spin")) {
            Peer.connect(client, server);
            QueuePair queuePair = client.queuePair();
            long local = client.buffer.checkedAddress(0, length);
            int lkey = client.buffer.lkey();
            RemoteBuffer remote = Peer.remote(server);

            WorkRequest request = WorkRequest.of(operation);
            long bytes = Allocation.bytesPerThousand(() -> {
                queuePair.post(request.opcode(operation)
                        .wrId(1)
                        .local(local, length, lkey)
                        .remote(remote.address(), remote.rkey())
                        .flags(SIGNALED));
                await(client, server);
            });

            assertThat(bytes).as("bytes per 1000 operations").isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 4096})
    void sendsAndReceivesAllocateNothing(int length) throws Exception {
        try (Peer client = new Peer("shm=off", "progress=spin");
                Peer server = new Peer("shm=off", "progress=spin")) {
            Peer.connect(client, server);

            long bytes = Allocation.bytesPerThousand(() -> {
                server.queuePair().recv(2, server.buffer, 0, length);
                client.queuePair().send(1, client.buffer, 0, length, SIGNALED);
                awaitEach(server, client);
            });

            assertThat(bytes).as("bytes per 1000 operations").isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"RDMA_WRITE, false", "RDMA_READ, false", "RDMA_WRITE, true", "RDMA_READ, true"})
    void memoryThatMayGoAwayAllocatesNothing(SendOpcode operation, boolean mapped) throws Exception {
        try (Peer client = new Peer("shm=off", "progress=spin");
                Peer server = new Peer("shm=off", "progress=spin");
                MemorySlab file = slab(mapped);
                Arena arena = Arena.ofShared()) {
            Peer.connect(client, server);
            MemorySegment source = mapped ? file.segment().asSlice(0, 4096) : arena.allocate(4096);
            MemorySegment sink = mapped ? file.segment().asSlice(4096) : arena.allocate(4096);
            try (RegisteredBuffer local = client.domain.register(source, Peer.ALL);
                    RegisteredBuffer target = server.domain.register(sink, Peer.ALL)) {
                long address = local.checkedAddress(0, 4096);
                RemoteBuffer remote = target.remote();

                WorkRequest request = WorkRequest.of(operation);
                long bytes = Allocation.bytesPerThousand(() -> {
                    client.queuePair()
                            .post(request.opcode(operation)
                                    .wrId(1)
                                    .local(address, 4096, local.lkey())
                                    .remote(remote.address(), remote.rkey())
                                    .flags(SIGNALED));
                    await(client, server);
                });

                assertThat(bytes).as("bytes per 1000 operations").isZero();
            }
        }
    }

    private static MemorySlab slab(boolean mapped) throws IOException {
        if (!mapped) {
            return MemorySlab.allocate(1);
        }
        Path file = Files.createTempFile("steady", ".bin");
        try {
            Files.write(file, new byte[8192]);
            return MemorySlab.map(file, 0, 8192, true);
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void receivesOfASharedQueueAllocateNothing() throws Exception {
        try (Peer client = new Peer("shm=off", "progress=spin");
                Peer server = new Peer("shm=off", "progress=spin", "srq.share=50");
                SharedReceiveQueue shared = server.domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(16));
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Background<Connection> accepting = Background.start(() -> listener.accept(Peer.soon())
                    .accept(server.config().withSrq(shared), ConnectionConfig.defaults(), Peer.soon()));
            client.connected(client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()));
            try (Connection accepted = accepting.get()) {
                long bytes = Allocation.bytesPerThousand(() -> {
                    shared.recv(2, server.buffer, 0, 64);
                    client.queuePair().send(1, client.buffer, 0, 64, SIGNALED);
                    awaitEach(server, client);
                });

                assertThat(bytes).as("bytes per 1000 operations").isZero();
                assertThat(accepted.isConnected()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void listsOfReceivesAllocateNothing(boolean shared) throws Exception {
        try (Peer client = new Peer("shm=off", "progress=spin");
                Peer server = new Peer("shm=off", "progress=spin");
                SharedReceiveQueue queue = server.domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(16));
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Background<Connection> accepting = Background.start(() -> listener.accept(Peer.soon())
                    .accept(
                            shared ? server.config().withSrq(queue) : server.config(),
                            ConnectionConfig.defaults(),
                            Peer.soon()));
            client.connected(client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()));
            try (Connection accepted = accepting.get()) {
                ReceiveQueue receives = shared ? queue : accepted.queuePair();
                ReceiveList list = ReceiveList.ofCapacity(4);
                int[] left = new int[1];

                long bytes = Allocation.bytesPerThousand(() -> {
                    if (left[0] == 0) {
                        list.clear();
                        while (left[0] < list.capacity()) {
                            list.add(left[0]++, server.buffer, 0, 64);
                        }
                        receives.recvAll(list);
                    }
                    left[0]--;
                    client.queuePair().send(1, client.buffer, 0, 64, SIGNALED);
                    awaitEach(server, client);
                });

                assertThat(bytes).as("bytes per 1000 operations").isZero();
            }
        }
    }

    @Test
    void atomicsAllocateNothing() throws Exception {
        try (Peer client = new Peer("shm=off", "progress=spin");
                Peer server = new Peer("shm=off", "progress=spin")) {
            Peer.connect(client, server);
            RemoteBuffer remote = Peer.remote(server);

            long bytes = Allocation.bytesPerThousand(() -> {
                client.queuePair().fetchAdd(1, client.buffer, 0, remote, 8, 1, SIGNALED);
                await(client, server);
            });

            assertThat(bytes).as("bytes per 1000 operations").isZero();
        }
    }

    @Test
    void disconnectDrivesItselfInSpinMode() throws Exception {
        try (Peer client = new Peer("shm=off", "progress=spin");
                Peer server = new Peer()) {
            Peer.connect(client, server);
            server.queuePair().recv(1, server.buffer);
            client.queuePair().send(2, client.buffer, 0, Peer.BUFFER_BYTES, 0);
            client.connection().disconnect(Peer.soon());

            assertThat(server.nextOk().byteCount()).isEqualTo(Peer.BUFFER_BYTES);
            assertThat(server.connection().awaitDisconnect(Peer.soon())).isTrue();
        }
    }
}
