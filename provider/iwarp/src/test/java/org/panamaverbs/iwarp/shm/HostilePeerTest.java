package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.testkit.random.Seeded;
import org.panamaverbs.testkit.random.SeededRandom;

/**
 * A peer that writes what it likes into its own file: nothing comes of it but an exception on this stream or bytes that
 * are wrong, and nothing outside of this side's ring and of the buffers is written.
 */
class HostilePeerTest {
    private static final int RING = RingLayout.MIN_RING_BYTES;
    private static final byte GUARD = 0x5A;

    private final TwoSides sides = TwoSides.smallest();
    private final RingPair victim = sides.left;
    private final MemorySegment hostile = sides.rightFile;

    private void tail(long tail) {
        hostile.set(ValueLayout.JAVA_LONG, RingLayout.TAIL_OFFSET, tail);
    }

    private void head(long head) {
        hostile.set(ValueLayout.JAVA_LONG, RingLayout.HEAD_OFFSET, head);
    }

    private void end(int end) {
        hostile.set(ValueLayout.JAVA_INT, RingLayout.END_OFFSET, end);
    }

    // ---- each word ------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(longs = {-1, RING + 1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, 1L << 48})
    void refusesATailThatCannotBe(long tail) {
        tail(tail);

        assertThat(victim.hasInput()).isTrue();
        assertThatThrownBy(() -> TwoSides.read(victim, 100))
                .isInstanceOf(RingCorruptException.class)
                .hasMessageContaining("tail is " + tail + ", expected 0 to " + RING);
    }

    /** It chooses among its own octets. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 1, RING, RING + 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void readsWithinTheRingWhateverTheOrigin(long origin) throws IOException {
        TwoSides.write(sides.right, 0, RING);
        hostile.set(ValueLayout.JAVA_LONG, RingLayout.ORIGIN_OFFSET, origin);

        assertThat(victim.look()).isBetween(1, RING);
        assertThat(victim.next()).isBetween(0, RING - 1);
        assertThat(TwoSides.read(victim, 2 * RING)).hasSize(RING);
        assertThat(victim.hasInput()).isFalse();
    }

    @Test
    void refusesATailThatGoesBack() throws IOException {
        TwoSides.write(sides.right, 0, 100);
        assertThat(TwoSides.read(victim, 10)).hasSize(10);
        // Not behind what was taken, but behind what was said.
        tail(99);

        assertThatThrownBy(() -> TwoSides.read(victim, 100)).isInstanceOf(RingCorruptException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 101, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32})
    void refusesAHeadThatCannotBe(long head) throws IOException {
        TwoSides.write(victim, 0, 100);
        head(head);

        assertThatThrownBy(victim::unread)
                .isInstanceOf(RingCorruptException.class)
                .hasMessageContaining("head is " + head + ", expected 0 to 100");
        assertThatThrownBy(victim::room).isInstanceOf(RingCorruptException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, RING + 1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32})
    void refusesAHeadThatCannotBeOnceItIsFull(long head) throws IOException {
        TwoSides.write(victim, 0, 100);
        head(head);

        assertThatThrownBy(() -> TwoSides.write(victim, 100, 2 * RING)).isInstanceOf(RingCorruptException.class);
    }

    @Test
    void refusesAHeadThatGoesBack() throws IOException {
        TwoSides.write(victim, 0, 100);
        head(50);
        assertThat(victim.unread()).isEqualTo(50);
        head(49);

        assertThatThrownBy(victim::unread).isInstanceOf(RingCorruptException.class);
    }

    /** What was put into the ring before the wrong word was found is counted. */
    @Test
    void countsWhatWasMovedBeforeAFailure() {
        head(-1);
        IoVector from = IoVector.of(TwoSides.pattern(0, RING), TwoSides.pattern(RING, 5));

        assertThatThrownBy(() -> victim.write(from)).isInstanceOf(RingCorruptException.class);
        assertThat(from.moved()).isEqualTo(RING);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, -1, Integer.MIN_VALUE, 256})
    void refusesAnEndThatCannotBe(int end) {
        end(end);

        assertThat(victim.hasInput()).isTrue();
        assertThatThrownBy(() -> TwoSides.read(victim, 1))
                .isInstanceOf(RingCorruptException.class)
                .hasMessageContaining("end is " + end);
    }

    @Test
    void takesNothingBehindAnEnd() throws IOException {
        end(1);
        assertThat(TwoSides.read(victim, 1)).isNull();
        tail(10);
        assertThat(victim.hasInput()).isFalse();
        assertThat(TwoSides.read(victim, 1)).isNull();
        end(0);
        assertThatThrownBy(() -> TwoSides.read(victim, 1)).isInstanceOf(RingCorruptException.class);
    }

    @Test
    void isWokenForNothingAtMost() throws IOException {
        for (long sleep : new long[] {-1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 5}) {
            hostile.set(ValueLayout.JAVA_LONG, RingLayout.SLEEP_OFFSET, sleep);
            TwoSides.write(victim, 0, 1);
            victim.mustRing();
            assertThat(victim.mustRing()).isFalse();
        }
    }

    // ---- all words and bytes
    // ----------------------------------------------------------------------------------------

    /** Files and buffers with guards around them, and words between any two calls. */
    @Seeded
    void survivesAnyWords(SeededRandom random) throws IOException {
        MemorySegment whole = Arena.ofAuto().allocate(3 * RingLayout.fileBytes(RING), RingLayout.HEADER_BYTES);
        whole.fill(GUARD);
        MemorySegment own = whole.asSlice(RingLayout.fileBytes(RING), RingLayout.fileBytes(RING));
        own.fill((byte) 0);
        RingLayout.format(own, RING);
        RingPair pair = new RingPair(own, hostile);
        MemorySegment landing = Arena.ofAuto().allocate(3 * RING);
        try {
            for (int i = 0; i < 200; i++) {
                scribble(random);
                switch (random.below(8)) {
                    case 0 -> pair.sleep(random.oneIn(2), random.oneIn(2));
                    case 1 -> pair.mustRing();
                    case 6 -> buildInPlace(pair, random.between(1, 2 * RING));
                    case 7 -> takeInPlace(pair);
                    case 2 -> assertThat(pair.unread()).isBetween(0L, RING + 1L);
                    case 3 ->
                        assertThat(pair.write(IoVector.of(TwoSides.pattern(0, random.below(2 * RING)))))
                                .isBetween(0L, 2L * RING);
                    default -> read(pair, landing, random.below(RING + 1));
                }
            }
        } catch (RingCorruptException | RingResetException e) {
            assertThat(e).hasMessageNotContaining("null");
        }
        assertGuarded(whole.asSlice(0, own.byteSize()));
        assertGuarded(whole.asSlice(2 * own.byteSize()));
    }

    private static void buildInPlace(RingPair pair, int octets) {
        int at = pair.reserve(octets);
        if (at >= 0) {
            pair.output().asSlice(at, octets).fill((byte) 1);
            pair.put(octets);
        }
    }

    private static void takeInPlace(RingPair pair) {
        int octets = pair.look();
        assertThat(octets).isBetween(-1, RING - pair.next());
        if (octets > 0) {
            pair.take(octets);
        }
    }

    private static void read(RingPair pair, MemorySegment landing, int room) throws IOException {
        landing.fill(GUARD);
        ByteBuffer into = landing.asByteBuffer().limit(RING + room).position(RING);
        long octets = pair.read(IoVector.of(into));
        assertThat(octets).isBetween(-1L, (long) room);
        assertGuarded(landing.asSlice(0, RING));
        assertGuarded(landing.asSlice(RING + Math.max(octets, 0)));
    }

    private static void assertGuarded(MemorySegment memory) {
        for (long i = 0; i < memory.byteSize(); i += Long.BYTES) {
            long left = Math.min(Long.BYTES, memory.byteSize() - i);
            for (long j = 0; j < left; j++) {
                if (memory.get(ValueLayout.JAVA_BYTE, i + j) != GUARD) {
                    throw new AssertionError("byte " + (i + j) + " was written");
                }
            }
        }
    }

    /** Changes some word, often by little, so that not all of them are found out at once. */
    private void scribble(SeededRandom random) {
        long offset = random.pick(new Long[] {0L, 8L, 256L, 256L, 256L, 512L, 512L, 768L, 1024L, 4096L, -1L});
        if (offset < 0) {
            offset = 8L * random.below((int) (hostile.byteSize() / 8));
        }
        long before = hostile.get(ValueLayout.JAVA_LONG, offset);
        long value = random.oneIn(20)
                ? random.nextLong()
                : offset == 1024 ? (random.oneIn(30) ? random.below(4) : 0) : before + random.below(1000);
        hostile.set(ValueLayout.JAVA_LONG, offset, value);
    }

    /** A peer that never stops scribbling, beside this side's passes. */
    @Test
    void survivesWordsThatChangeMeanwhile() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread scribbler = new Thread(() -> {
            SeededRandom random = new SeededRandom(4711);
            while (!over.get()) {
                scribble(random);
            }
        });
        scribbler.setDaemon(true);
        scribbler.start();
        MemorySegment landing = Arena.ofAuto().allocate(3 * RING);
        int corrupt = 0;
        try {
            for (int stream = 0; stream < 2_000; stream++) {
                RingPair pair = new RingPair(TwoSides.file(RING), hostile);
                try {
                    for (int i = 0; i < 50; i++) {
                        pair.write(IoVector.of(TwoSides.pattern(0, 100)));
                        ByteBuffer into =
                                landing.asByteBuffer().limit(RING + 100).position(RING);
                        assertThat(pair.read(IoVector.of(into))).isBetween(-1L, 100L);
                        buildInPlace(pair, 100);
                        takeInPlace(pair);
                        pair.sleep(true, true);
                        pair.mustRing();
                        assertThat(pair.unread()).isBetween(0L, RING + 1L);
                    }
                } catch (RingCorruptException | RingResetException e) {
                    corrupt++;
                }
            }
        } finally {
            over.set(true);
            scribbler.join();
        }
        assertThat(corrupt).isPositive();
    }
}
