package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.shm.RingPair;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.iwarp.wire.Framing;

/** Peers that scribble over the memory that they share, or leave it: it is their own stream alone that ends. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class HostileSharerTest extends BesideAFriend {
    // DDP: tagged, last, version 1; RDMAP: version 1, RDMA Write; STag and tagged offset.
    private static final byte[] EMPTY_WRITE = HexFormat.of().parseHex("c140" + "00000000" + "0000000000000000");

    private static long left(RingPair rings) {
        try {
            return rings.unread();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // The offsets of RingLayout: tail, head, sleep, end, end seen.
    @ParameterizedTest
    @CsvSource({
        "256, -1",
        "256, 9223372036854775807",
        "256, 1000000000",
        "256, 1",
        "512, -1",
        "512, 1000000000",
        "1024, 77",
        "1024, 2",
        "1024, -1"
    })
    void aScribblerEndsItsOwnStream(long offset, long value) throws Exception {
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true);
                Peer victim = new Peer("shm=auto")) {
            RingPair rings = peer.share();
            peer.ask(rings);
            try (Connection connection =
                    request(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
                assertThat(connection.transport()).contains("shared memory (rings");
                // RFC 5044 §7.1.2: before the first FPDU of the initiator this side sends none.
                rings.write(IoVector.of(ByteBuffer.wrap(Framing.fpdu(EMPTY_WRITE))));

                peer.ring();
                Raw.await("the FPDU to be taken", () -> left(rings) == 0);
                Objects.requireNonNull(peer.own).memory().set(ValueLayout.JAVA_LONG, offset, value);
                peer.ring();
                // More than the ring holds: what was taken of it is looked at.
                connection.queuePair().write(1, server.buffer, 0, Peer.BUFFER_BYTES, Peer.remote(victim), 0, SIGNALED);

                Raw.await("its end", () -> {
                    server.queue.poll(completions);
                    return !connection.isConnected();
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomWordsAndOctetsHarmNobodyElse(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true)) {
            RingPair rings = peer.share();
            peer.ask(rings);
            try (Connection connection =
                    request(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
                var memory = Objects.requireNonNull(peer.own).memory();
                for (int i = 0; i < 20_000 && connection.isConnected(); i++) {
                    long at = random.nextInt(4) == 0
                            ? new int[] {256, 512, 768, 1024}[random.nextInt(4)]
                            : RingLayout.HEADER_BYTES + 8L * random.nextInt(RING_BYTES / 8);
                    memory.set(
                            ValueLayout.JAVA_LONG, at, random.nextBoolean() ? random.nextLong() : random.nextInt(300));
                    if (i % 16 == 0) {
                        try {
                            peer.ring();
                        } catch (IOException e) {
                            break;
                        }
                    }
                    server.queue.poll(completions);
                }
                Raw.await("its end", () -> {
                    server.queue.poll(completions);
                    return !connection.isConnected();
                });
            }
        }
    }

    /** Turns of the loop, with the most bytes that were taken from a peer's ring between two of them. */
    private static final class Turns implements Runnable {
        private final EventLoop loop;
        private final MemorySegment theirs;
        private final AtomicBoolean over = new AtomicBoolean();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile long most;
        private long last;

        Turns(EventLoop loop, MemorySegment theirs) {
            this.loop = loop;
            this.theirs = theirs;
        }

        @Override
        public void run() {
            if (over.get()) {
                ended.countDown();
                return;
            }
            long now = taken(theirs);
            most = Math.max(most, now - last);
            last = now;
            begun.countDown();
            loop.execute(this);
        }

        /** Begins to count; when it returns, one turn has been seen. */
        void begin() throws InterruptedException {
            loop.execute(this);
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        }

        void end() throws InterruptedException {
            over.set(true);
            assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A peer that is refused, with much behind that: the loop takes little of it at a time, and serves the others. */
    @Test
    void whoIsRefusedHoldsNobodyUp() throws Exception {
        int ringBytes = 64 * RING_BYTES;
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true)) {
            RingPair rings = peer.share(ringBytes);
            MemorySegment theirs = Objects.requireNonNull(peer.peers).memory();
            // Before there is something in the ring: the loop looks at it when it takes it over, bell or not.
            Turns turns = new Turns(((IwarpVerbs) server.verbs).context().loop(), theirs);
            turns.begin();
            try {
                // The first bytes of TLS, which this listener does not speak.
                rings.write(IoVector.of(ByteBuffer.allocate(ringBytes)
                        .put((byte) 0x16)
                        .put((byte) 3)
                        .clear()));
                peer.ring();
                Raw.await("the ring to be thrown away", () -> taken(theirs) == ringBytes);
                friend.queuePair().write(1, friend.buffer, 0, 4096, Peer.remote(server), 0, SIGNALED);
                friend.nextOk();
            } finally {
                turns.end();
            }
            assertThat(turns.most).as("bytes in one turn").isLessThan(ringBytes / 8);
        }
    }

    private static long taken(MemorySegment theirs) {
        return (long) ValueLayout.JAVA_LONG.varHandle().getAcquire(theirs, 512L);
    }

    @Test
    void nothingIsLeftOfARejectionWhenTheContextIsClosed() throws Exception {
        List<String> before = SharedMemoryTest.held();
        Peer closing = new Peer("shm=auto");
        Listener at = closing.verbs.listen(Raw.ANY_PORT);
        try (OfferingPeer peer = new OfferingPeer(at, 1, true)) {
            peer.ask(peer.share());
            at.poll(Peer.soon()).orElseThrow().reject(new byte[0]);
            // The peer does not leave.
            at.close();
            closing.close();
        }
        Raw.await(
                "the same descriptors and mappings",
                () -> SharedMemoryTest.held().size() <= before.size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theEndOfTcpIsTheEndOfTheStream(boolean reset) throws Exception {
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true)) {
            peer.ask(peer.share());
            try (Connection connection =
                    request(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
                if (reset) {
                    Raw.reset(peer.tcp);
                } else {
                    peer.tcp.close();
                }
                Raw.await("its end", () -> !connection.isConnected());
                assertThat(connection.terminateCause().orElseThrow().reason()).isEqualTo(TerminateReason.PEER_RESET);
            }
        }
    }
}
