package org.panamaverbs.iwarp.core;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.shm.RingPair;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.testkit.random.Seeded;
import org.panamaverbs.testkit.random.SeededRandom;

/**
 * A peer that changes what it has put into its ring while that is judged and taken where it lies: it reaches no memory
 * but that of the receives that are next, and that of Writes which it may do.
 */
class HostileRingTest {
    private static final int RING = RingLayout.MIN_RING_BYTES;
    private static final int SEND = DdpHeader.untaggedControls(true, Opcode.SEND);
    private static final int WRITE = DdpHeader.taggedControls(true, Opcode.RDMA_WRITE);
    // Of the word that says how much is in the ring: docs/decisions/0032.
    private static final long TAIL = 256;

    private final MemorySegment own = file();
    private final MemorySegment hostile = file();
    private RingPair rings = new RingPair(own, hostile);
    private final Pair pair = Pair.of(Side.config(1), Side.config(2));
    private final Side victim = pair.b;
    private final Guarded target = victim.memory(64 * 512);
    // Of which the peer knows no more than the number.
    private final Guarded secret = victim.memory(4096, 0x7000_0000L, 0);
    // The Sends that were taken, and the octets of the ring that are used up.
    private int sends = 1;
    private long tail;

    private static MemorySegment file() {
        MemorySegment file = Arena.ofAuto().allocate(RingLayout.fileBytes(RING), RingLayout.HEADER_BYTES);
        RingLayout.format(file, RING);
        return file;
    }

    /** The rings as the transport gives them to the stream. */
    private final class Rings implements SharedRing {
        @Override
        public MemorySegment output() {
            return rings.output();
        }

        @Override
        public int reserve(int octets) {
            return rings.reserve(octets);
        }

        @Override
        public boolean publish(int octets) {
            rings.put(octets);
            return false;
        }

        @Override
        public MemorySegment input() {
            return rings.input();
        }

        @Override
        public int next() {
            return rings.next();
        }

        @Override
        public int look() {
            return rings.look();
        }

        @Override
        public void take(int octets) {
            rings.take(octets);
        }
    }

    /** The first message goes otherwise: until then the stream waits for the peer's first segment. */
    private void begin() {
        // Over rings there are no CRCs.
        pair.start(agreed(true), agreed(false));
        victim.receives(500, 1, target, 64);
        pair.a.send(1, pair.a.memory(64), 0, 8);
        pair.settle();
        assertThat(victim.receives.list).hasSize(1);
        victim.stream.ring(new Rings());
    }

    private static Negotiated agreed(boolean initiator) {
        return Negotiated.builder(initiator)
                .crc(false)
                .rtr(Rtr.WRITE)
                .depths(16)
                .emss(Pair.EMSS)
                .build();
    }

    private int put(int controls, int length, int stag, long second) {
        long at = RingLayout.HEADER_BYTES + tail % RING;
        if (controls == SEND) {
            Fpdu.emitUntagged(hostile, at, length, controls, Opcode.QN_SEND, (int) second);
        } else {
            Fpdu.emitTagged(hostile, at, length, controls, stag, second);
        }
        return Fpdu.size(length);
    }

    private void publish(int octets) {
        tail += octets;
        hostile.set(JAVA_LONG, TAIL, tail);
    }

    private int take() {
        return victim.stream.takeFromRing(rings.look());
    }

    /** The peer has room again, and memory that is deregistered is left, before all that a ring holds was taken. */
    @Test
    void aRunEndsBehindAQuarterOfTheRing() {
        begin();
        int size = 0;
        int all = 0;
        while (all <= RING / 2) {
            size = put(WRITE, DdpHeader.TAGGED_BYTES + 400, target.stag(), target.base);
            publish(size);
            all += size;
        }

        int first = take();

        assertThat(first).isBetween(RING / 4, RING / 4 + size - 1);
        victim.assertGuards();
    }

    @Test
    void whatIsExpectedIsTakenWhereItLies() {
        begin();
        int size = put(SEND, DdpHeader.UNTAGGED_BYTES + 12, 0, 2);
        publish(size);

        assertThat(take()).isEqualTo(size);

        assertThat(victim.receives.list).hasSize(2);
        assertThat(victim.stream.predictedReceives()).isEqualTo(2);
        assertThat(take()).isZero();
        victim.assertGuards();
    }

    @Test
    void whatIsNotExpectedIsLeftWhereItLies() {
        begin();
        int[][] forged = {
            // Longer than the receive, with another number, shorter than its header, and longer than what is there.
            {SEND, DdpHeader.UNTAGGED_BYTES + 65, 2},
            {SEND, DdpHeader.UNTAGGED_BYTES + 8, 3},
            {SEND, DdpHeader.UNTAGGED_BYTES - 1, 2},
            {SEND, Fpdu.MAX_ULPDU, 2},
            {SEND ^ 1 << 14, DdpHeader.UNTAGGED_BYTES + 8, 2},
        };
        hostile.set(JAVA_LONG, TAIL, RING / 2);
        for (int[] one : forged) {
            put(one[0], one[1], 0, one[2]);
            assertThat(take())
                    .as("%x of %d octets, number %d", one[0], one[1], one[2])
                    .isZero();
        }
        put(WRITE, DdpHeader.TAGGED_BYTES + 8, secret.stag(), secret.base);
        assertThat(take()).isZero();
        put(WRITE, DdpHeader.TAGGED_BYTES + 8, target.stag(), target.base + 64 * 512 - 7);
        assertThat(take()).isZero();
        assertThat(victim.receives.list).hasSize(1);
        assertThat(rings.next()).isZero();
        int size = put(SEND, DdpHeader.UNTAGGED_BYTES + 64, 0, 2);
        assertThat(take()).isEqualTo(size);
        victim.assertGuards();
    }

    @Test
    void aTailThatCannotBeIsNoOctets() {
        begin();
        put(SEND, DdpHeader.UNTAGGED_BYTES + 12, 0, 2);
        for (long wrong : new long[] {-1, RING + 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32}) {
            hostile.set(JAVA_LONG, TAIL, wrong);
            assertThat(take()).as("a tail of %d", wrong).isZero();
        }
    }

    @Test
    void whatIsNotThereAsAWholeIsLeft() {
        begin();
        int size = put(SEND, DdpHeader.UNTAGGED_BYTES + 12, 0, 2);
        for (int there = 0; there < size; there++) {
            hostile.set(JAVA_LONG, TAIL, there);
            assertThat(take()).as("of %d octets", there).isZero();
        }
        hostile.set(JAVA_LONG, TAIL, size);
        assertThat(take()).isEqualTo(size);
    }

    @Seeded
    void anyHeadersReachNothingElse(SeededRandom random) {
        begin();
        byte[] before = secret.bytes();
        publish(put(SEND, DdpHeader.UNTAGGED_BYTES + 12, 0, ++sends));
        assertThat(take()).isPositive();
        for (int i = 0; i < 400; i++) {
            forge(random);
            int taken = take();
            assertThat(taken).isBetween(0, RING);
            if (taken == 0) {
                break;
            }
        }
        assertThat(secret.bytes()).isEqualTo(before);
        victim.assertGuards();
    }

    private void forge(SeededRandom random) {
        // At the end of the ring it is left, whatever it is.
        int length = random.oneIn(10) ? random.below(1 << 16) : DdpHeader.UNTAGGED_BYTES + random.below(64);
        boolean write = random.oneIn(3);
        int stag = random.oneIn(20) ? secret.stag() : target.stag();
        int size = write
                ? put(WRITE, length, stag, target.base + random.below(32768))
                : put(SEND, Math.min(length, 4000), 0, random.oneIn(30) ? random.nextLong() : ++sends);
        publish(random.oneIn(20) ? random.below(RING) : Math.min(size, 4096));
    }

    /** A peer that never stops changing headers, beside this side's looks at a ring full of Writes. */
    @Test
    void headersThatChangeMeanwhileReachNothingElse() throws InterruptedException {
        begin();
        byte[] before = secret.bytes();
        int length = DdpHeader.TAGGED_BYTES + 14;
        int size = Fpdu.size(length);
        int frames = RING / size;
        AtomicBoolean over = new AtomicBoolean();
        Thread scribbler = new Thread(() -> {
            SeededRandom random = new SeededRandom(43);
            while (!over.get()) {
                int at = RingLayout.HEADER_BYTES + size * random.below(frames);
                boolean wrong = random.oneIn(8);
                int to = random.below(64 * 512 - 14);
                Fpdu.emitTagged(
                        hostile,
                        at,
                        wrong ? random.below(1 << 16) : length,
                        WRITE,
                        random.oneIn(20) ? secret.stag() : target.stag(),
                        wrong ? random.nextLong() : target.base + to);
            }
        });
        scribbler.setDaemon(true);
        scribbler.start();
        hostile.set(JAVA_LONG, TAIL, (long) frames * size);
        long taken = 0;
        try {
            for (int look = 0; look < 100_000; look++) {
                int some = take();
                assertThat(some).isBetween(0, RING);
                taken += some;
                if (some == 0) {
                    rings = new RingPair(own, hostile);
                }
            }
        } finally {
            over.set(true);
            scribbler.join();
        }
        assertThat(taken).isGreaterThan(RING);
        assertThat(secret.bytes()).isEqualTo(before);
        victim.assertGuards();
    }
}
