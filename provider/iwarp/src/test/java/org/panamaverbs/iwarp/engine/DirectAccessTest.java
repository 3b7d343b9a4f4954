package org.panamaverbs.iwarp.engine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.iwarp.TestCertificates;
import org.panamaverbs.iwarp.wire.Allocation;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** One host, direct: the initiator's processor does the work, where both sides want it. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class DirectAccessTest {

    private final List<Peer> peers = new ArrayList<>();

    private Peer peer(String... options) {
        Peer peer = new Peer(options);
        peers.add(peer);
        return peer;
    }

    private Peer direct(String progress) {
        // Without signs of life, which go through the ring at any time.
        return peer("shm=require", "shm.direct=on", "probe=off", "progress=" + progress);
    }

    @AfterEach
    void close() {
        peers.forEach(Peer::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    void everyOperationIsDoneWithinThePost(String progress) throws Exception {
        Peer client = direct(progress);
        Peer server = direct(progress);
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        RemoteBuffer remote = Peer.remote(server);
        MemorySegment mine = client.buffer.segment();
        MemorySegment theirs = server.buffer.segment();
        long before = Directly.executedInline(client);

        mine.set(JAVA_LONG, 64, 0x1122_3344_5566_7788L);
        client.queuePair().write(1, client.buffer, 64, 8, remote, 800, SIGNALED);
        assertThat(theirs.get(JAVA_LONG, 800)).isEqualTo(0x1122_3344_5566_7788L);

        theirs.set(JAVA_LONG, 808, 99);
        client.queuePair().read(2, client.buffer, 72, 8, remote, 808, SIGNALED);
        assertThat(mine.get(JAVA_LONG, 72)).isEqualTo(99);

        client.queuePair().fetchAdd(3, client.buffer, 80, remote, 808, 5, SIGNALED);
        assertThat(mine.get(JAVA_LONG, 80)).isEqualTo(99);
        assertThat(theirs.get(JAVA_LONG, 808)).isEqualTo(104);

        client.queuePair().cmpSwap(4, client.buffer, 88, remote, 808, 104, 7, SIGNALED);
        assertThat(mine.get(JAVA_LONG, 88)).isEqualTo(104);
        assertThat(theirs.get(JAVA_LONG, 808)).isEqualTo(7);

        client.queuePair().cmpSwap(5, client.buffer, 96, remote, 808, 104, 8, SIGNALED);
        assertThat(mine.get(JAVA_LONG, 96)).isEqualTo(7);
        assertThat(theirs.get(JAVA_LONG, 808)).isEqualTo(7);

        theirs.set(JAVA_LONG, 808, 0x0000_00FF_0000_00FFL);
        post(client, SendOpcode.MASKED_FETCH_ADD, 104, remote, 808, 0x0000_0001_0000_0001L, 0, 0x80L << 32 | 0x80L, 0);
        assertThat(theirs.get(JAVA_LONG, 808)).isEqualTo(0);
        post(client, SendOpcode.MASKED_CMP_SWAP, 112, remote, 808, 0xAA00, 0x55, 0xFF, 0xFF);
        assertThat(theirs.get(JAVA_LONG, 808)).isEqualTo(0x55);

        assertThat(Directly.executedInline(client) - before).isEqualTo(7);
        assertThat(client.connection().transport())
                .contains("direct access (" + Directly.executedInline(client) + " requests)");
        for (long wrId : new long[] {1, 2, 3, 4, 5, 6, 6}) {
            WorkCompletion done = client.nextOk();
            assertThat(done.wrId()).isEqualTo(wrId);
            assertThat(done.byteCount()).isEqualTo(done.opcode() == WcOpcode.RDMA_WRITE ? 0 : 8);
        }
    }

    /** Each queue pair grants on its own: that of the requester nothing, that of the responder one right. */
    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    void isForWhatTheQueuePairOfTheResponderGrants(String progress) throws Exception {
        Peer client = direct(progress);
        Peer server = direct(progress);
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(
                    client,
                    client.config().withAccess(),
                    server,
                    server.config().withAccess(Access.REMOTE_WRITE),
                    listener,
                    ConnectionConfig.defaults(),
                    queuePair -> {});
        }
        Directly.untilDirect(client, server);
        server.buffer.segment().set(JAVA_LONG, 800, 7);
        client.queuePair().read(1, client.buffer, 64, 8, Peer.remote(server), 800, SIGNALED);

        Raw.await("a completion", () -> {
            server.queue.poll(server.completions());
            return client.queue.poll(client.completions()) == 1;
        });
        assertThat(client.completions().get(0).status()).isEqualTo(WcStatus.REMOTE_ACCESS_ERROR);
        assertThat(client.buffer.segment().get(JAVA_LONG, 64)).isZero();
    }

    private static void post(
            Peer client,
            SendOpcode operation,
            long local,
            RemoteBuffer remote,
            long offset,
            long compareOrAdd,
            long swap,
            long mask,
            long swapMask) {
        int status = client.queuePair()
                .post(WorkRequest.of(operation)
                        .wrId(6)
                        .local(client.buffer.checkedAddress(local, 8), Long.BYTES, client.buffer.lkey())
                        .remote(remote.address() + offset, remote.rkey())
                        .compareAndSwap(compareOrAdd, swap)
                        .masks(mask, swapMask)
                        .flags(SIGNALED));
        assertThat(status).isEqualTo(PostStatus.ACCEPTED);
    }

    @ParameterizedTest
    @CsvSource({"on, off", "off, on", "off, off", "auto, off", "off, auto"})
    void whereOneSideDoesNotWantItMessagesGo(String ours, String theirs) throws Exception {
        Peer client = peer("shm=require", "shm.direct=" + ours);
        Peer server = peer("shm=require", "shm.direct=" + theirs);
        Peer.connect(client, server);

        for (int i = 0; i < 50; i++) {
            client.queuePair().write(i, client.buffer, 0, 8, Peer.remote(server), 0, SIGNALED);
            client.nextOk();
            client.queuePair().read(i, client.buffer, 0, 8, Peer.remote(server), 0, SIGNALED);
            client.nextOk();
        }

        assertThat(Directly.executedInline(client)).isZero();
        assertThat(client.connection().transport())
                .doesNotContain(", direct access")
                .contains(ours.equals("off") ? "" : ", no direct access (the peer does not offer it)");
    }

    @Test
    void placesOfTheSendQueueAreGivenBackByPolls() throws Exception {
        Peer client = direct("background");
        Peer server = direct("background");
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        int places = client.queuePair().config().maxSendWr();

        for (int i = 0; i < places; i++) {
            assertThat(client.queuePair().write(i, client.buffer, 0, 8, Peer.remote(server), 0, 0))
                    .isGreaterThanOrEqualTo(PostStatus.ACCEPTED);
        }

        assertThat(client.queuePair().write(1, client.buffer, 0, 8, Peer.remote(server), 0, SIGNALED))
                .isEqualTo(PostStatus.QUEUE_FULL);
    }

    /** Only who polls makes progress, and the server does not: what lies in the ring is not passed. */
    @Test
    void nothingOvertakesWhatWentThroughTheRing() throws Exception {
        Peer client = direct("spin");
        Peer server = direct("spin");
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        RemoteBuffer remote = Peer.remote(server);
        MemorySegment mine = client.buffer.segment();
        server.queuePair().postRecv(1, server.buffer.checkedAddress(0, 8), 0, server.buffer.lkey());
        mine.set(JAVA_LONG, 64, 4711);
        client.queuePair()
                .post(WorkRequest.of(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE)
                        .wrId(1)
                        .local(client.buffer.checkedAddress(64, 8), 8, client.buffer.lkey())
                        .remote(remote.address() + 800, remote.rkey())
                        .immediate(5)
                        .flags(SIGNALED));
        assertThat(client.nextOk().wrId()).isEqualTo(1);

        client.queuePair().read(2, client.buffer, 72, 8, remote, 800, SIGNALED);

        WorkCompletions completions = WorkCompletions.ofCapacity(2);
        for (int i = 0; i < 1000; i++) {
            assertThat(client.queue.poll(completions)).isZero();
        }
        Raw.await("the Read", () -> {
            server.queue.poll(completions);
            return client.queue.poll(completions) == 1;
        });
        assertThat(completions.get(0).wrId()).isEqualTo(2);
        assertThat(mine.get(JAVA_LONG, 72)).isEqualTo(4711);
    }

    @Test
    void aFencedRequestWaitsForTheReadBeforeIt() throws Exception {
        Peer client = direct("spin");
        Peer server = direct("spin");
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        RemoteBuffer remote = Peer.remote(server);
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        server.buffer.segment().set(JAVA_LONG, 800, 0);
        client.buffer.segment().set(JAVA_LONG, 64, 1);
        // Of nothing: it goes through the ring. The server has answered it, and this side has not looked.
        client.queuePair().read(1, client.buffer, 0, 0, remote, 0, SIGNALED);
        server.queue.poll(completions);

        client.queuePair().write(2, client.buffer, 64, 8, remote, 800, SIGNALED | SendFlag.FENCE);

        assertThat(server.buffer.segment().get(JAVA_LONG, 800)).isZero();
        for (long wrId = 1; wrId <= 2; wrId++) {
            Raw.await("a completion", () -> {
                server.queue.poll(completions);
                return client.queue.poll(completions) == 1;
            });
            assertThat(completions.get(0).wrId()).isEqualTo(wrId);
        }
        Raw.await("the Write", () -> {
            server.queue.poll(completions);
            return server.buffer.segment().get(JAVA_LONG, 800) == 1;
        });
    }

    /** Operations of all kinds at random, in a ring and not, against a model of the memory. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void mixedOperationsComeInOrder(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Peer client = direct("background");
        Peer server = direct("background");
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        RemoteBuffer remote = Peer.remote(server);
        MemorySegment mine = client.buffer.segment();
        int words = 64;
        long[] model = new long[words];
        server.buffer.segment().asSlice(0, words * 8L).fill((byte) 0);
        long before = Directly.executedInline(client);
        int posted = 0;
        int scratch = 4096;
        WorkCompletions messages = WorkCompletions.ofCapacity(16);
        for (int i = 0; i < 2000; i++) {
            server.queue.poll(messages);
            int word = random.nextInt(words);
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    scratch = scratch == 60_000 ? 4096 : scratch + 8;
                    model[word] = random.nextLong();
                    mine.set(JAVA_LONG, scratch, model[word]);
                    client.queuePair().write(i, client.buffer, scratch, 8, remote, word * 8L, SIGNALED);
                    posted++;
                }
                case 2 -> {
                    // A message of no bytes, of which the ring is not free for a while.
                    server.queuePair().postRecv(i, server.buffer.checkedAddress(0, 8), 0, server.buffer.lkey());
                    client.queuePair().send(i, client.buffer, 0, 0, SIGNALED);
                    posted++;
                }
                case 3 -> {
                    scratch = scratch == 60_000 ? 4096 : scratch + 8;
                    client.queuePair().fetchAdd(i, client.buffer, scratch, remote, word * 8L, i, SIGNALED);
                    model[word] += i;
                    posted++;
                }
                case 4 -> {
                    client.queuePair().read(i, client.buffer, 0, words * 8L, remote, 0, SIGNALED);
                    posted++;
                    posted = drained(client, posted);
                    assertThat(mine.asSlice(0, words * 8L).toArray(JAVA_LONG)).isEqualTo(model);
                }
                default -> posted = drained(client, posted);
            }
            posted = posted > 100 ? drained(client, posted) : posted;
        }
        drained(client, posted);
        assertThat(Directly.executedInline(client)).as("carried out").isGreaterThan(before);
    }

    private static int drained(Peer client, int posted) {
        for (int i = 0; i < posted; i++) {
            client.nextOk();
        }
        return 0;
    }

    @Test
    void atomicsOfAllWaysAreAtomic() throws Exception {
        Peer server = peer("shm.direct=on");
        Peer near = direct("background");
        Peer far = peer("shm=off");
        List<Background<Integer>> adders = new ArrayList<>();
        int times = 3000;
        Connection first;
        Peer.connect(near, server);
        first = server.connection();
        Directly.untilDirect(near, server);
        Peer.connect(far, server);
        server.buffer.segment().set(JAVA_LONG, 0, 0);
        for (Peer each : List.of(near, far)) {
            adders.add(Background.start(() -> {
                for (int i = 0; i < times; i++) {
                    each.queuePair().fetchAdd(i, each.buffer, 0, Peer.remote(server), 0, 1, SIGNALED);
                    each.nextOk();
                }
                return times;
            }));
        }
        var target = server.buffer.atomicTarget(0);
        for (int i = 0; i < times; i++) {
            target.getAndAdd(1);
        }
        int all = times;
        for (Background<Integer> adder : adders) {
            all += adder.get();
        }

        assertThat(target.getVolatile()).isEqualTo(all);
        assertThat(Directly.executedInline(near)).isGreaterThan(0);
        server.closeFirst(first);
    }

    /** Memory that is taken away while a peer writes to it at full speed does not change any more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void noOctetChangesBehindARevocation(int round) throws Exception {
        int bytes = 4096 * round;
        Peer server = direct("background");
        Peer client = direct("background");
        try (MemorySlab slab = MemorySlab.shared("panama-verbs revoked", bytes)) {
            RegisteredBuffer target = server.domain.register(slab.segment(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            RemoteBuffer remote = target.remote();
            Peer.connect(client, server);
            Directly.untilDirect(client, server, remote);
            Background<WcStatus> writer = Background.start(() -> {
                for (byte value = 1; ; value++) {
                    client.buffer.segment().asSlice(0, bytes).fill(value);
                    client.queuePair().write(1, client.buffer, 0, bytes, remote, 0, SIGNALED);
                    WorkCompletion done = client.next();
                    if (!done.ok()) {
                        return done.status();
                    }
                }
            });
            long before = Directly.executedInline(client);
            Raw.await("Writes", () -> Directly.executedInline(client) > before + 200);

            target.close();

            byte[] then = slab.segment().toArray(JAVA_BYTE);
            // Far more than a Write takes.
            for (int i = 0; i < 2000; i++) {
                if (slab.segment().mismatch(MemorySegment.ofArray(then)) >= 0) {
                    throw new AssertionError("a byte has changed in look " + i);
                }
                Thread.onSpinWait();
            }
            assertThat(writer.get()).isNotEqualTo(WcStatus.SUCCESS);
            assertThat(slab.segment().mismatch(MemorySegment.ofArray(then))).isNegative();
        }
    }

    @Test
    void aDeregistrationWaitsForWhoIsInside() throws Exception {
        Peer server = direct("background");
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                DirectPeer inside = new DirectPeer(listener.localAddress());
                Connection connection = listener.poll(Peer.soon())
                        .orElseThrow()
                        .accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
            assertThat(connection.isConnected()).isTrue();
            inside.claim();

            Background<Integer> closing = Background.start(() -> {
                server.buffer.close();
                return 0;
            });
            closing.whenWaiting();
            inside.rings.reach().release();

            closing.get();
        }
    }

    @Test
    void theEndOfTheConnectionDoesNotEndTheWait() throws Exception {
        Peer server = direct("background");
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                DirectPeer inside = new DirectPeer(listener.localAddress())) {
            Connection connection = listener.poll(Peer.soon())
                    .orElseThrow()
                    .accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
            inside.claim();
            connection.close();

            Background<Integer> closing = Background.start(() -> {
                server.buffer.close();
                return 0;
            });
            closing.whenWaiting();
            inside.rings.reach().release();

            closing.get();
        }
    }

    @Test
    void whoIsKilledInsideIsNotWaitedFor() throws Exception {
        Peer server = direct("background");
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                ChildProcess child = new ChildProcess(
                        DirectPeer.class, "" + listener.localAddress().getPort(), "1")) {
            try (Connection connection = listener.poll(Peer.soon())
                    .orElseThrow()
                    .accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
                assertThat(connection.isConnected()).isTrue();
                child.value("claimed=");
                Background<Integer> closing = Background.start(() -> {
                    server.buffer.close();
                    return 0;
                });
                closing.whenWaiting();

                child.kill();

                closing.get();
            }
        }
    }

    /** Peers that keep to the rules: each ends the access that the end of its connection finds it in. */
    @Test
    void nothingIsLeftOfConnectionsThatEndInAnAccess() throws Exception {
        Peer server = peer("shm=require", "shm.direct=on", "shm.max=1", "probe=off");
        List<String> before = SharedMemoryTest.held();
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            int ends = 0;
            for (int i = 0; i < 3; i++) {
                try (DirectPeer inside = new DirectPeer(listener.localAddress())) {
                    Connection connection = listener.poll(Peer.soon())
                            .orElseThrow()
                            .accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
                    inside.claim();
                    connection.close();
                    inside.rings.reach().release();
                    // The line of the set-up, which the peer still has open.
                    Raw.await("the end of the line", inside.peer::isLineEnded);
                    ends++;
                }
            }
            assertThat(ends).isEqualTo(3);
        }

        // The server keeps its table, a descriptor and a mapping, which it has made for the first.
        Raw.await(
                "the same descriptors and mappings",
                () -> SharedMemoryTest.held().size() <= before.size() + 2);
    }

    @Test
    void nothingIsLeftOfConnections() throws Exception {
        Peer server = direct("background");
        Peer client = direct("background");
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        client.connection().close();
        server.connection().close();
        List<String> before = SharedMemoryTest.held();

        for (int i = 0; i < 20; i++) {
            Peer.connect(client, server);
            Directly.untilDirect(client, server);
            client.connection().disconnect(Peer.soon());
            server.connection().awaitDisconnect(Peer.soon());
            client.connection().close();
            server.connection().close();
        }

        Raw.await(
                "the same descriptors and mappings",
                () -> SharedMemoryTest.held().size() <= before.size());
    }

    @Test
    void postingAndPollingAllocateNothing() throws Exception {
        Peer client = direct("spin");
        Peer server = direct("spin");
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        RemoteBuffer remote = Peer.remote(server);
        long local = client.buffer.checkedAddress(0, 64);
        long before = Directly.executedInline(client);

        for (SendOpcode operation : List.of(SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ, SendOpcode.FETCH_ADD)) {
            WorkRequest request = WorkRequest.of(operation);
            long bytes = Allocation.bytesPerThousand(() -> {
                int key = client.buffer.lkey();
                long to = remote.address();
                int stag = remote.rkey();
                if (operation == SendOpcode.FETCH_ADD) {
                    client.queuePair()
                            .post(request.opcode(operation)
                                    .wrId(1)
                                    .local(local, Long.BYTES, key)
                                    .remote(to, stag)
                                    .compareAndSwap(1, 0)
                                    .flags(SIGNALED));
                } else {
                    client.queuePair()
                            .post(request.opcode(operation)
                                    .wrId(1)
                                    .local(local, 64, key)
                                    .remote(to, stag)
                                    .flags(SIGNALED));
                }
                do {
                    // What went through the ring, such as a sign of life, the server has to take out.
                    server.queue.poll(completions);
                } while (client.queue.poll(completions) == 0);
                if (!completions.get(0).ok()) {
                    throw new AssertionError(completions.get(0).toString());
                }
            });
            assertThat(bytes).as(operation + ": bytes per 1000 operations").isZero();
        }
        assertThat(Directly.executedInline(client) - before).as("carried out").isGreaterThan(200_000);
    }

    @Test
    void itIsRefusedBesideTls() {
        Peer peer = direct("background");
        TlsConfig tls = TlsConfig.of(TestCertificates.context(TestCertificates.SERVER));

        assertThatThrownBy(() -> peer("shm.direct=on")
                        .verbs
                        .connect(
                                Raw.ANY_PORT,
                                peer.config(),
                                ConnectionConfig.defaults().withTls(tls),
                                Peer.soon()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shm.direct=on and a TlsConfig");
        assertThatThrownBy(() -> peer("shm.direct=on")
                        .verbs
                        .listen(Raw.ANY_PORT, ListenerConfig.defaults().withTls(tls)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shm.direct=on and a TlsConfig");
    }

    @ParameterizedTest
    @CsvSource({
        "shm=off, shm.direct=on has no effect with shm=off",
        "sockets=nio, shm.direct=on has no effect with sockets=nio"
    })
    void itIsRefusedWhereItCannotBe(String other, String why) {
        assertThatThrownBy(() -> peer("shm.direct=on", other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
