package org.panamaverbs.channel.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flow control and framing against a model: nothing is lost, reordered or overwritten, and nobody waits for ever. */
class FlowSimTest {
    private static final int RING = 256;

    @Test
    void everySeedAgreesWithTheModel() {
        play(Long.getLong("sim.seed", 0), Long.getLong("sim.seed", 1_499));
    }

    @Test
    @Tag("proof")
    void manySeedsAgreeWithTheModel() {
        play(0, 19_999);
    }

    private static void play(long first, long last) {
        for (long seed = first; seed <= last; seed++) {
            long played = seed;
            assertThatCode(() -> new FlowSimulation(played).play())
                    .as("replay it: -Dsim.seed=%d", seed)
                    .doesNotThrowAnyException();
        }
    }

    /** Every length at every offset of the ring, which wraps in front of what does not fit. */
    @Test
    void wrapsAtEveryOffset() {
        Limits limits = new Limits(RING, 64, RING);
        MemorySegment ring = MemorySegment.ofArray(new long[RING / 8]);
        for (int start = 0; start < RING; start += 8) {
            for (int length = 0; length <= RING / 4 - 8; length++) {
                Outbound outbound = new Outbound(ring, limits, 64, false);
                Inbound inbound = new Inbound(ring, limits, false, RING, null);
                // The ring of the peer is this one: what is posted is there.
                while (outbound.position() < start) {
                    carry(outbound, inbound, 0);
                }
                carry(outbound, inbound, length);
                carry(outbound, inbound, length);
                assertThat(inbound.position()).isEqualTo(outbound.position());
            }
        }
    }

    private static void carry(Outbound outbound, Inbound inbound, int length) {
        int at = outbound.claim(length);
        assertThat(at).isNotNegative().isLessThanOrEqualTo(RING);
        outbound.commit(length, Frame.DATA);
        int chunks = 0;
        while (outbound.nextChunk()) {
            assertThat(inbound.arrived(outbound.chunkStream())).isTrue();
            outbound.chunkPosted();
            chunks++;
        }
        assertThat(chunks).isBetween(1, 2);
        assertThat(inbound.next()).isEqualTo(Inbound.MESSAGE);
        assertThat(inbound.messageOffset()).isEqualTo(at);
        assertThat(inbound.messageLength()).isEqualTo(length);
        inbound.take(false);
        outbound.completed(outbound.posts() - 1);
        assertThat(outbound.credit(inbound.released(), outbound.posts())).isTrue();
    }

    /** What is behind a release begins with a header, also behind a pad. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takesCreditsAtTheEndsOfFramesOnly(boolean together) {
        Limits limits = new Limits(RING, 64, RING);
        MemorySegment ring = MemorySegment.ofArray(new long[RING / 8]);
        for (int start = 0; start < RING; start += 8) {
            for (int released = 0; released <= 2 * RING; released++) {
                Outbound outbound = new Outbound(ring, limits, 64, false);
                Inbound inbound = new Inbound(ring, limits, false, RING, null);
                while (outbound.position() < start) {
                    carry(outbound, inbound, 0);
                }
                Set<Long> ends = new HashSet<>(Set.of(outbound.position()));
                for (int length : new int[] {0, 5, 40, 8}) {
                    assertThat(outbound.claim(length)).isNotNegative();
                    ends.add(outbound.claimEnd() - Frame.span(length));
                    ends.add(outbound.commit(length, Frame.DATA));
                    while ((!together || length == 8) && outbound.nextChunk()) {
                        outbound.chunkPosted();
                    }
                }
                boolean taken = outbound.credit(released, outbound.posts());
                assertThat(taken).isEqualTo(ends.contains((long) released));
                assertThat(outbound.released()).isEqualTo(taken ? released : start);
            }
        }
    }

    /** What is kept at position 0 holds the window, whatever follows: a peer that goes beyond it lies. */
    @ParameterizedTest
    @ValueSource(ints = {Frame.DATA, Frame.LARGE, Frame.END})
    void takesNothingBeyondTheWindow(int kind) {
        Liar liar = new Liar();
        for (int at = 0; at < RING; at += 32) {
            liar.say(24, Frame.DATA, 32);
            assertThat(liar.inbound.next()).isEqualTo(Inbound.MESSAGE);
            liar.inbound.take(at == 0);
        }
        int length = kind == Frame.END ? 0 : kind == Frame.DATA ? 8 : 100;
        liar.say(length, kind, kind == Frame.DATA ? 16 : 8);
        assertThat(liar.inbound.next()).isEqualTo(Inbound.VIOLATION);
        assertThat(liar.inbound.violation())
                .isEqualTo("a frame of " + length
                        + " bytes at position 256 beyond the window of 256 bytes from position 0");
    }

    /** Padding that ends nowhere but at the end of the ring, and in front of nothing. */
    @ParameterizedTest
    @CsvSource({"216, 8, true", "208, 8, false", "224, 8, false", "0, 8, false", "216, 16, false"})
    void takesPaddingUpToTheEndOfTheRingOnly(int length, int bytes, boolean right) {
        Liar liar = new Liar();
        liar.say(24, Frame.DATA, 32);
        assertThat(liar.inbound.next()).isEqualTo(Inbound.MESSAGE);
        liar.inbound.take(false);
        liar.say(length, Frame.PAD, bytes);
        assertThat(liar.inbound.next()).isEqualTo(right ? Inbound.NONE : Inbound.VIOLATION);
        assertThat(liar.inbound.position()).isEqualTo(right ? RING : 32);
    }

    @Test
    void saysWhyALargeMessageCannotBe() {
        Liar liar = new Liar();
        for (int at = 0; at < 192; at += 32) {
            liar.say(24, Frame.DATA, 32);
            assertThat(liar.inbound.next()).isEqualTo(Inbound.MESSAGE);
            liar.inbound.take(false);
        }
        liar.say(100, Frame.LARGE, 8);
        assertThat(liar.inbound.next()).isEqualTo(Inbound.VIOLATION);
        assertThat(liar.inbound.violation())
                .isEqualTo("a message of 100 bytes written at position 192, with 64 bytes to the end of the ring, and"
                        + " 8 left of what announces it");
    }

    /** Sends single frames into receives of 64 bytes, honest ones or not. */
    private static final class Liar {
        private final MemorySegment receives = MemorySegment.ofArray(new long[64 * 64 / 8]);
        private final Inbound inbound =
                new Inbound(receives, new Limits(RING, 64, 64), true, 100, MemorySegment.ofArray(new long[RING / 8]));
        private int next;

        private void say(int length, int kind, int bytes) {
            Frame.put(receives, next * 64L, length, kind);
            assertThat(inbound.arrived(next++, bytes)).isTrue();
        }
    }

    /** A peer that writes anything anywhere: bounds hold, calls return, and nothing throws. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void survivesGarbage(boolean slots) {
        boolean large = false;
        for (long seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            int chunk = slots ? 64 : RING;
            Limits limits = new Limits(RING, 64, chunk);
            MemorySegment memory = MemorySegment.ofArray(new long[(slots ? 64 * chunk : RING) / 8]);
            MemorySegment ring = MemorySegment.ofArray(new long[RING / 8]);
            Inbound inbound = new Inbound(memory, limits, slots, 100, slots ? ring : null);
            Outbound outbound = new Outbound(MemorySegment.ofArray(new long[RING / 8]), limits, 64, slots);
            int receive = 0;
            for (int step = 0; step < 50; step++) {
                for (int i = random.nextInt(8); i > 0; i--) {
                    int at = random.nextInt((int) memory.byteSize() / 8) * 8;
                    if (random.nextBoolean()) {
                        Frame.put(memory, at, random.nextInt(110) - 2, random.nextInt(7));
                    } else {
                        memory.set(java.lang.foreign.ValueLayout.JAVA_LONG, at, random.nextLong());
                    }
                }
                outbound.credit(random.nextLong(), random.nextInt(100));
                assertThat(outbound.released()).isZero();
                if (slots) {
                    if (receive < 64) {
                        inbound.arrived(receive++, random.nextInt(100) - 10);
                    }
                } else {
                    inbound.arrived(random.nextLong() >>> random.nextInt(64));
                }
                int found = inbound.next();
                if (found == Inbound.MESSAGE) {
                    assertThat(inbound.messageOffset()).isNotNegative();
                    assertThat(inbound.messageLength()).isBetween(0, 100);
                    assertThat(inbound.messageOffset() + inbound.messageLength())
                            .isLessThanOrEqualTo((inbound.messageLarge() ? ring : memory).byteSize());
                    large |= inbound.messageLarge();
                    inbound.take(random.nextBoolean());
                } else if (found == Inbound.VIOLATION) {
                    assertThat(inbound.violation()).isNotEmpty();
                    assertThat(inbound.hasFrames()).isFalse();
                    assertThat(inbound.next()).isEqualTo(Inbound.NONE);
                    break;
                }
            }
        }
        assertThat(large).isEqualTo(slots);
    }
}
