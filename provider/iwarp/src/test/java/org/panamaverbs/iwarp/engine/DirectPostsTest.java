package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A post that is carried out at once never is in the send queue. What an application sees of it is the same as of one
 * that is: a batch of one has the same answers, completions and counts.
 */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class DirectPostsTest {
    private static final String[] OPTIONS = {"shm=require", "shm.direct=on", "probe=off"};
    private static final long LAST = 99;
    private static final int NO_FLAG = 1 << 20;

    /** What is posted: each as one request, answered by a status. */
    enum Request {
        WRITE,
        READ,
        INLINE,
        FETCH_ADD,
        CMP_SWAP,
        MASKED_FETCH_ADD,
        WRITE_UNSIGNALED,
        READ_BEHIND_A_FENCE,
        WRITE_OF_NOTHING,
        READ_OF_NOTHING,
        WRITE_OF_LESS_THAN_NOTHING,
        WRITE_WITH_AN_UNKNOWN_FLAG,
        ATOMIC_INLINE,
        ATOMIC_OF_MORE_BYTES,
        INLINE_TOO_LONG,
        INLINE_BEYOND_THE_DATA,
        INLINE_OF_CLOSED_MEMORY,
        WRITE_WITH_IMMEDIATE,
        LOCAL_KEY_OF_NOBODY,
        BEYOND_THE_LOCAL_MEMORY,
        REMOTE_KEY_OF_NOBODY,
        BEYOND_THE_REMOTE_MEMORY,
        ATOMIC_THAT_IS_NOT_ALIGNED;

        int post(SendQueue to, Peer client, RemoteBuffer remote) {
            MemorySegment mine = client.buffer.segment();
            return switch (this) {
                case WRITE -> to.write(1, client.buffer, 0, 64, remote, 512, SIGNALED);
                case READ -> to.read(1, client.buffer, 64, 64, remote, 512, SIGNALED);
                case INLINE -> to.writeInline(1, mine, 0, 64, remote, 512, SIGNALED);
                case FETCH_ADD -> to.fetchAdd(1, client.buffer, 8, remote, 8, 1, SIGNALED);
                case CMP_SWAP -> to.cmpSwap(1, client.buffer, 8, remote, 8, 0, 1, SIGNALED);
                case MASKED_FETCH_ADD -> atomic(to, SendOpcode.MASKED_FETCH_ADD, client, remote, 8, SIGNALED);
                case WRITE_UNSIGNALED -> to.write(1, client.buffer, 0, 64, remote, 512, 0);
                case READ_BEHIND_A_FENCE -> to.read(1, client.buffer, 0, 8, remote, 0, SIGNALED | SendFlag.FENCE);
                case WRITE_OF_NOTHING -> to.write(1, client.buffer, 0, 0, remote, 512, SIGNALED);
                case READ_OF_NOTHING -> to.read(1, client.buffer, 0, 0, remote, 512, SIGNALED);
                case WRITE_OF_LESS_THAN_NOTHING -> write(to, client, -1, client.buffer.lkey(), remote, 0, SIGNALED);
                case WRITE_WITH_AN_UNKNOWN_FLAG ->
                    write(to, client, 8, client.buffer.lkey(), remote, 0, SIGNALED | NO_FLAG);
                case ATOMIC_INLINE -> atomic(to, SendOpcode.FETCH_ADD, client, remote, 8, SIGNALED | SendFlag.INLINE);
                case ATOMIC_OF_MORE_BYTES ->
                    to.post(WorkRequest.of(SendOpcode.FETCH_ADD)
                            .wrId(1)
                            .local(address(client), 16, client.buffer.lkey())
                            .remote(remote, 0)
                            .flags(SIGNALED));
                case INLINE_TOO_LONG ->
                    to.writeInline(1, mine, 0, client.queuePair().config().maxInlineBytes() + 1L, remote, 0, SIGNALED);
                case INLINE_BEYOND_THE_DATA -> to.writeInline(1, mine.asSlice(0, 7), 0, 8, remote, 0, SIGNALED);
                case INLINE_OF_CLOSED_MEMORY -> to.writeInline(1, closed(), 0, 8, remote, 0, SIGNALED);
                case WRITE_WITH_IMMEDIATE -> to.writeWithImmediate(1, client.buffer, 0, 8, remote, 0, 5, SIGNALED);
                case LOCAL_KEY_OF_NOBODY -> write(to, client, 8, 0x0BAD_0000, remote, 0, SIGNALED);
                case BEYOND_THE_LOCAL_MEMORY ->
                    write(to, client, client.buffer.length() + 1, client.buffer.lkey(), remote, 0, SIGNALED);
                case REMOTE_KEY_OF_NOBODY ->
                    to.post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                            .wrId(1)
                            .local(address(client), 8, client.buffer.lkey())
                            .remote(remote.address(), 0x0BAD_0000)
                            .flags(SIGNALED));
                case BEYOND_THE_REMOTE_MEMORY ->
                    write(to, client, 8, client.buffer.lkey(), remote, remote.length() - 7, SIGNALED);
                case ATOMIC_THAT_IS_NOT_ALIGNED -> atomic(to, SendOpcode.FETCH_ADD, client, remote, 4, SIGNALED);
            };
        }

        private static long address(Peer client) {
            return client.buffer.checkedAddress(0, 8);
        }

        private static int write(
                SendQueue to, Peer client, long length, int lkey, RemoteBuffer remote, long offset, int flags) {
            long there = remote.address() + offset;
            return to.post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                    .wrId(1)
                    .local(address(client), length, lkey)
                    .remote(there, remote.rkey())
                    .flags(flags));
        }

        private static int atomic(
                SendQueue to, SendOpcode operation, Peer client, RemoteBuffer remote, long offset, int flags) {
            long there = remote.address() + offset;
            return to.post(WorkRequest.of(operation)
                    .wrId(1)
                    .local(address(client), Long.BYTES, client.buffer.lkey())
                    .remote(there, remote.rkey())
                    .compareAndSwap(1, 0)
                    .masks(0x80, 0)
                    .flags(flags));
        }

        private static MemorySegment closed() {
            try (Arena arena = Arena.ofShared()) {
                return arena.allocate(8);
            }
        }
    }

    private static final Set<Request> AT_ONCE = EnumSet.range(Request.WRITE, Request.READ_BEHIND_A_FENCE);

    /**
     * What goes over the ring and succeeds. What is posted behind goes over the ring as well until the peer has taken
     * all of that, which is soon or late: both are right.
     */
    private static final Set<Request> OVER_THE_RING =
            EnumSet.of(Request.WRITE_OF_NOTHING, Request.READ_OF_NOTHING, Request.WRITE_WITH_IMMEDIATE);

    /**
     * What goes over the ring and ends the stream once the peer has seen it. What is posted behind is written before
     * its Terminate comes, or flushed: both are right.
     */
    private static final Set<Request> ENDED_BY_THE_PEER =
            EnumSet.of(Request.REMOTE_KEY_OF_NOBODY, Request.BEYOND_THE_REMOTE_MEMORY);

    private interface Way {
        int post(Peer client, RemoteBuffer remote, Request request);
    }

    private static int inABatch(Peer client, RemoteBuffer remote, Request request) {
        Batch batch = client.queuePair().batch();
        try {
            return request.post(batch, client, remote);
        } finally {
            batch.submitAll();
        }
    }

    /** Returns what an application sees of {@code request}, posted in one way, and of a good one behind it. */
    private static List<String> seen(Request request, Way way) throws Exception {
        List<String> seen = new ArrayList<>();
        try (Peer client = new Peer(OPTIONS);
                Peer server = new Peer(OPTIONS)) {
            Peer.connect(client, server);
            Directly.untilDirect(client, server);
            RemoteBuffer remote = Peer.remote(server);
            QueuePairStatistics before = client.queuePair().statistics();
            try {
                seen.add(PostStatus.text(way.post(client, remote, request)));
            } catch (RuntimeException e) {
                seen.add(e.getClass().getSimpleName());
            }
            long direct = client.queuePair().statistics().sendsDirect();
            seen.add("direct " + (direct - before.sendsDirect()));
            int last = client.queuePair().write(LAST, client.buffer, 0, 8, remote, 0, SIGNALED);
            seen.add("then " + PostStatus.text(last));
            WorkCompletion done = client.next();
            while (done.wrId() != LAST) {
                seen.add(text(done));
                done = client.next();
            }
            QueuePairStatistics after = client.queuePair().statistics();
            if (ENDED_BY_THE_PEER.contains(request)) {
                assertThat(done.status()).isIn(WcStatus.SUCCESS, WcStatus.WR_FLUSH_ERROR);
                assertThat(after.sendsFlushed()).isEqualTo(done.ok() ? 0 : 1);
            } else {
                seen.add(text(done));
                seen.add("flushed " + after.sendsFlushed());
            }
            seen.add("posted " + (after.sendsPosted() - before.sendsPosted()));
            seen.add("completed " + (after.sendsCompleted() - before.sendsCompleted()));
            if (!OVER_THE_RING.contains(request)) {
                seen.add("then direct " + (after.sendsDirect() - direct));
            }
        }
        return seen;
    }

    private static String text(WorkCompletion done) {
        return done.wrId() + " " + done.status() + (done.ok() ? " " + done.opcode() + " " + done.byteCount() : "");
    }

    @ParameterizedTest
    @EnumSource(Request.class)
    void isSeenLikeOneInABatch(Request request) throws Exception {
        List<String> atOnce = seen(request, (client, remote, each) -> each.post(client.queuePair(), client, remote));

        assertThat(atOnce).isEqualTo(seen(request, DirectPostsTest::inABatch));
        if (AT_ONCE.contains(request)) {
            assertThat(atOnce).as("it and the good one").contains("direct 1", "then direct 1");
        } else {
            assertThat(atOnce).as("what does not go at once").contains("direct 0");
        }
    }

    /** Places of requests that were not signaled are free with the completion of a later one, as always. */
    @Test
    @SuppressWarnings("CheckReturnValue") // what became of the last is seen by its completion
    void takesAPlaceUntilALaterOneIsKnownToBeComplete() throws Exception {
        try (Peer client = new Peer(OPTIONS);
                Peer server = new Peer(OPTIONS)) {
            Peer.connect(client, server);
            Directly.untilDirect(client, server);
            RemoteBuffer remote = Peer.remote(server);
            int places = client.queuePair().config().maxSendWr();
            for (int round = 0; round < 3; round++) {
                for (int i = 1; i < places; i++) {
                    assertThat(client.queuePair().write(i, client.buffer, 0, 8, remote, 0, 0))
                            .isEqualTo(PostStatus.ACCEPTED);
                }
                assertThat(client.queuePair().write(LAST, client.buffer, 0, 8, remote, 0, SIGNALED))
                        .isEqualTo(PostStatus.ACCEPTED);
                assertThat(client.queuePair().write(1, client.buffer, 0, 8, remote, 0, SIGNALED))
                        .isEqualTo(PostStatus.QUEUE_FULL);
                assertThat(client.nextOk().wrId()).isEqualTo(LAST);
            }
        }
    }

    @Test
    void aCompletionThatIsLostEndsTheConnection() throws Exception {
        try (Peer client = new Peer(2, OPTIONS);
                Peer server = new Peer(OPTIONS)) {
            Peer.connect(client, server);
            Directly.untilDirect(client, server);
            RemoteBuffer remote = Peer.remote(server);
            for (int i = 0; i < 3; i++) {
                assertThat(client.queuePair().write(i, client.buffer, 0, 8, remote, 0, SIGNALED))
                        .isEqualTo(PostStatus.ACCEPTED);
            }

            Raw.await("the end", () -> !client.connection().isConnected());
        }
    }

    /** What was posted before and waits in line goes first, whoever carries out what comes behind it. */
    @Test
    void overtakesNothing() throws Exception {
        try (Peer client = new Peer(OPTIONS);
                Peer server = new Peer(OPTIONS)) {
            Peer.connect(client, server);
            Directly.untilDirect(client, server);
            RemoteBuffer remote = Peer.remote(server);
            WorkCompletions completions = WorkCompletions.ofCapacity(4);
            for (int round = 0; round < 100; round++) {
                assertThat(server.queuePair().recv(7, server.buffer, 1024, 64)).isEqualTo(PostStatus.ACCEPTED);
                assertThat(client.queuePair().send(1, client.buffer, 0, 64, SIGNALED))
                        .isEqualTo(PostStatus.ACCEPTED);
                assertThat(client.queuePair().write(2, client.buffer, 0, 8, remote, 0, SIGNALED))
                        .isEqualTo(PostStatus.ACCEPTED);
                assertThat(client.next().wrId()).isEqualTo(1);
                assertThat(client.next().wrId()).isEqualTo(2);
                assertThat(server.next().status()).isEqualTo(WcStatus.SUCCESS);
                assertThat(server.queue.poll(completions)).isZero();
            }
        }
    }
}
