package org.panamaverbs.iwarp.engine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.memory.RegisteredBuffer;

/** A large request on memory of the peer is carried out in passes, with the lock given up in between. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class DirectPassesTest {
    private static final int LARGE = 24 << 20;
    private static final int LAST = LARGE - 8;

    private final List<Peer> peers = new ArrayList<>();
    private final List<RegisteredBuffer> buffers = new ArrayList<>();
    private final Peer server = peer("background");
    private final RegisteredBuffer theirs = large(server);
    // Where only polling threads make progress, a request stays as the last pass left it.
    private Peer client = peer("spin");
    private RegisteredBuffer mine = large(client);

    private Peer peer(String progress) {
        Peer peer = new Peer("shm=require", "shm.direct=on", "probe=off", "progress=" + progress);
        peers.add(peer);
        return peer;
    }

    private RegisteredBuffer large(Peer of) {
        RegisteredBuffer buffer = of.domain.allocate(LARGE, Peer.ALL);
        buffers.add(buffer);
        return buffer;
    }

    private void connect(String clients) throws Exception {
        if (!clients.equals("spin")) {
            client = peer(clients);
            mine = large(client);
        }
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        Directly.untilDirect(client, server, theirs.remote());
    }

    @AfterEach
    void close() {
        buffers.forEach(RegisteredBuffer::close);
        peers.forEach(Peer::close);
    }

    private static void number(MemorySegment memory) {
        for (long at = 0; at < LARGE; at += Long.BYTES) {
            memory.set(JAVA_LONG, at, at + 1);
        }
    }

    private void assertSame() {
        assertThat(mine.segment().mismatch(theirs.segment())).isNegative();
    }

    private void write(long wrId) {
        client.queuePair().write(wrId, mine, 0, LARGE, theirs.remote(), 0, SIGNALED);
    }

    private static long last(RegisteredBuffer of) {
        return (long) JAVA_LONG.varHandle().getAcquire(of.segment(), (long) LAST);
    }

    @Test
    void postDoesOnePassAndPollsTheOthersInOrder() throws Exception {
        connect("spin");
        number(mine.segment());
        long before = Directly.executedInline(client);

        write(1);
        assertThat(theirs.segment().get(JAVA_LONG, 0)).isEqualTo(1);
        assertThat(last(theirs)).as("behind one pass").isZero();
        client.queuePair().write(2, client.buffer, 0, 8, Peer.remote(server), 64, SIGNALED);
        client.queuePair().read(3, client.buffer, 64, 8, theirs.remote(), LAST, SIGNALED);
        mine.segment().set(JAVA_LONG, LAST, 4711);

        for (long wrId = 1; wrId <= 3; wrId++) {
            assertThat(client.nextOk().wrId()).isEqualTo(wrId);
        }
        assertThat(client.buffer.segment().get(JAVA_LONG, 64)).isEqualTo(4711);
        assertThat(Directly.executedInline(client) - before).isEqualTo(3);
        assertSame();

        theirs.segment().set(JAVA_LONG, LAST, 42);
        client.queuePair().read(4, mine, 0, LARGE, theirs.remote(), 0, SIGNALED);
        assertThat(last(mine)).as("behind one pass").isEqualTo(4711);
        WorkCompletion read = client.nextOk();
        assertThat(read.wrId()).isEqualTo(4);
        assertThat(read.byteCount()).isEqualTo(LARGE);
        assertSame();
        assertThat(Directly.executedInline(client) - before).isEqualTo(4);
    }

    @Test
    void gatherListAndBatchAreCarriedOutInPasses() throws Exception {
        connect("spin");
        number(mine.segment());
        long odd = 3 * (1L << 20) + 5;
        SgList pieces = SgList.ofCapacity(3)
                .add(mine.checkedAddress(0, odd), odd, mine.lkey())
                .add(mine.checkedAddress(odd, 1), 1, mine.lkey())
                .add(mine.checkedAddress(odd + 1, LARGE - odd - 1), LARGE - odd - 1, mine.lkey());
        long before = Directly.executedInline(client);
        client.queuePair()
                .post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                        .wrId(1)
                        .local(pieces)
                        .remote(theirs.remote().address(), theirs.remote().rkey())
                        .flags(SIGNALED));
        assertThat(last(theirs)).isZero();
        client.nextOk();
        assertSame();

        theirs.segment().fill((byte) 0);
        Batch batch = client.queuePair().batch();
        int some = 1 << 20;
        for (int at = 0; at < LARGE; at += some) {
            batch.write(at, mine, at, some, theirs.remote(), at, SIGNALED);
        }
        batch.submitAll();
        assertThat(last(theirs)).isZero();
        for (int at = 0; at < LARGE; at += some) {
            assertThat(client.nextOk().wrId()).isEqualTo(at);
        }
        assertSame();
        assertThat(Directly.executedInline(client) - before).isEqualTo(1 + LARGE / some);
    }

    @Test
    void loopGoesOnWhereNobodyPolls() throws Exception {
        connect("background");
        number(mine.segment());
        for (int round = 1; round <= 5; round++) {
            long value = -round;
            mine.segment().set(JAVA_LONG, LAST, value);

            write(round);

            Raw.await("the rest", () -> last(theirs) == value);
        }
        for (int round = 1; round <= 5; round++) {
            assertThat(client.nextOk().wrId()).isEqualTo(round);
        }
        assertSame();
    }

    @Test
    void deregistrationWaitsForNoMoreThanAPiece() throws Exception {
        connect("spin");
        number(mine.segment());
        write(1);

        // Nobody polls the client: who waited for more would wait for ever.
        theirs.close();

        WorkCompletion done = client.next();
        assertThat(done.wrId()).isEqualTo(1);
        // The rest goes over the rings, where the peer refuses it: the Write itself is done once it is there.
        Raw.await("the end", () -> {
            client.queue.poll(client.completions());
            return !client.connection().isConnected();
        });
    }

    @Test
    void deregistrationOfTheLocalMemoryEndsTheRequest() throws Exception {
        connect("spin");
        write(1);
        mine.close();

        assertThat(client.next().status()).isEqualTo(WcStatus.LOCAL_PROTECTION_ERROR);
    }

    @Test
    void disconnectCarriesTheRestOut() throws Exception {
        connect("spin");
        number(mine.segment());
        long before = Directly.executedInline(client);
        write(1);
        client.queuePair().write(2, client.buffer, 0, 8, Peer.remote(server), 64, SIGNALED);

        client.connection().disconnect(Peer.soon());

        assertThat(client.nextOk().wrId()).isEqualTo(1);
        assertThat(client.nextOk().wrId()).isEqualTo(2);
        assertThat(Directly.executedInline(client) - before).isPositive();
        assertSame();
    }

    @Test
    void closedConnectionCarriesNothingOutAnyMore() throws Exception {
        connect("spin");
        number(mine.segment());
        client.buffer.segment().set(JAVA_LONG, 0, 4711);
        long before = server.buffer.segment().get(JAVA_LONG, 64);
        write(1);
        client.queuePair().write(2, client.buffer, 0, 8, Peer.remote(server), 64, SIGNALED);

        client.connection().close();

        assertThat(client.queue.poll(client.completions())).isZero();
        assertThat(last(theirs)).isZero();
        assertThat(server.buffer.segment().get(JAVA_LONG, 64)).isEqualTo(before);
    }

    /** The peer asks and sends in between: both go on, and its bytes change nothing of the order. */
    @ParameterizedTest
    @ValueSource(strings = {"spin", "background"})
    void bothSidesAreAtItAtOnce(String progress) throws Exception {
        connect(progress);
        number(mine.segment());
        client.queuePair().recv(100, client.buffer, 4096, 64);
        long before = Directly.executedInline(client);
        write(1);
        server.queuePair().send(200, server.buffer, 0, 64, SIGNALED);
        server.queuePair().read(201, server.buffer, 0, 0, Peer.remote(client), 0, SIGNALED);
        server.queuePair().write(202, theirs, 0, 64, Peer.remote(client), 8192, SIGNALED);

        List<Long> sends = new ArrayList<>();
        write(2);
        while (sends.size() < 3) {
            sends.add(client.nextOk().wrId());
        }
        assertThat(sends).containsExactlyInAnyOrder(1L, 100L, 2L).containsSubsequence(1L, 2L);
        for (long wrId = 200; wrId <= 202; wrId++) {
            assertThat(server.nextOk().wrId()).isEqualTo(wrId);
        }
        assertThat(Directly.executedInline(client) - before).isPositive();
        assertSame();
    }

    /** Another thread that posts, asks for the state and polls in between finds the lock free. */
    @Test
    void passesOfSeveralThreadsTakeTurns() throws Exception {
        connect("background");
        number(mine.segment());
        int count = 8;
        Background<Integer> asking = Background.start(() -> {
            int asked = 0;
            while (last(theirs) != count) {
                assertThat(client.queuePair().state().name()).isNotEqualTo("ERROR");
                asked++;
            }
            return asked;
        });
        for (int i = 1; i <= count; i++) {
            mine.segment().set(JAVA_LONG, LAST, i);
            write(i);
            assertThat(client.nextOk().wrId()).isEqualTo(i);
        }
        assertThat(asking.get()).isPositive();
        assertThat(theirs.segment().get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
        assertSame();
    }
}
