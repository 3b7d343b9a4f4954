package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.iovec.IoVector;

/** Bytes, ends and bells between two sides. */
class RingPairTest {
    private static final int RING = RingLayout.MIN_RING_BYTES;

    private final TwoSides sides = TwoSides.smallest();
    private final RingPair left = sides.left;
    private final RingPair right = sides.right;

    // ---- bytes ---------------------------------------------------------------------------------------------------

    @Test
    void carriesOctetsBothWays() throws IOException {
        assertThat(TwoSides.read(right, 10)).isEmpty();
        assertThat(right.hasInput()).isFalse();

        assertThat(TwoSides.write(left, 0, 5)).isEqualTo(5);
        assertThat(TwoSides.write(right, 1000, 7)).isEqualTo(7);

        assertThat(right.hasInput()).isTrue();
        assertThat(TwoSides.isPattern(read(right, 10, 5), 0)).isTrue();
        assertThat(TwoSides.isPattern(read(left, 10, 7), 1000)).isTrue();
        assertThat(right.hasInput()).isFalse();
    }

    /** Little at a time stays where the ring begins, whichever way it is put and taken. */
    @Test
    void touchesLittleOfItsRingIfLittleIsUnderWay() throws IOException {
        int most = RING / 4 + 1000;
        for (int sent = 0; sent < 10 * RING; sent += 1000) {
            if (sent % 3000 == 0) {
                int at = left.reserve(1000);
                assertThat(at).isBetween(0, most - 1000);
                left.output().asSlice(at, 1000).copyFrom(MemorySegment.ofBuffer(TwoSides.pattern(sent, 1000)));
                left.put(1000);
                assertThat(right.look()).isEqualTo(1000);
                assertThat(right.next()).isEqualTo(at);
                right.take(1000);
            } else {
                assertThat(TwoSides.write(left, sent, 1000)).isEqualTo(1000);
                assertThat(TwoSides.isPattern(read(right, RING, 1000), sent)).isTrue();
            }
        }
        assertThat(left.output().asSlice(most).mismatch(Arena.ofAuto().allocate(RING - most)))
                .isEqualTo(-1);
    }

    /** What is not taken yet keeps its place, and what comes goes behind it. */
    @Test
    void neverBeginsAgainBeforeAllIsTaken() throws IOException {
        assertThat(TwoSides.write(left, 0, RING / 2)).isEqualTo(RING / 2);
        assertThat(TwoSides.isPattern(read(right, RING / 2 - 1, RING / 2 - 1), 0))
                .isTrue();
        assertThat(left.reserve(1)).isEqualTo(RING / 2);
        assertThat(TwoSides.write(left, RING / 2, RING)).isEqualTo(RING - 1);
        assertThat(TwoSides.isPattern(read(right, 2 * RING, RING), RING / 2 - 1))
                .isTrue();
        assertThat(left.reserve(RING)).isZero();
    }

    private static byte[] read(RingPair side, int most, int expected) throws IOException {
        byte[] octets = TwoSides.read(side, most);
        assertThat(octets).hasSize(expected);
        return Objects.requireNonNull(octets);
    }

    @Test
    void movesPositionsAndCountsWhatItMoved() throws IOException {
        ByteBuffer one = TwoSides.pattern(0, 4).position(1);
        ByteBuffer none = ByteBuffer.allocateDirect(0);
        ByteBuffer heap = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}, 2, 2);
        IoVector from = IoVector.of(one, none, heap);
        ByteBuffer first = ByteBuffer.allocateDirect(2);
        ByteBuffer second = ByteBuffer.allocate(9).position(1);
        IoVector into = IoVector.of(first, none, second);

        assertThat(left.write(from)).isEqualTo(5);
        assertThat(right.read(into)).isEqualTo(5);

        assertThat(from.moved()).isEqualTo(5);
        assertThat(into.moved()).isEqualTo(5);
        assertThat(one.hasRemaining() || heap.hasRemaining()).isFalse();
        assertThat(first.hasRemaining()).isFalse();
        assertThat(second.position()).isEqualTo(4);
        assertThat(second.get(1)).isEqualTo(TwoSides.octet(3));
        assertThat(second.get(2)).isEqualTo((byte) 3);
        assertThat(second.get(3)).isEqualTo((byte) 4);
    }

    @Test
    void leavesOutWhatTheVectorSkips() throws IOException {
        IoVector from = IoVector.of(TwoSides.pattern(0, 3), TwoSides.pattern(3, 3), TwoSides.pattern(6, 3));
        from.skip();
        from.truncate(2);

        assertThat(left.write(from)).isEqualTo(3);

        assertThat(TwoSides.isPattern(read(right, 10, 3), 3)).isTrue();
    }

    /**
     * A message at each place of the ring, over its end as well, cut at each place by the reader, which leaves one
     * octet so that the ring is not begun again.
     */
    @Test
    void carriesAMessageAtEachPlaceCutAnywhere() throws IOException {
        int length = 61;
        TwoSides.write(left, 0, 1);
        long offset = 1;
        while (offset < 3L * RING * length) {
            for (int cut = 0; cut <= length; cut++) {
                assertThat(TwoSides.write(left, offset, length)).isEqualTo(length);
                byte[] before = read(right, cut, cut);
                byte[] after = read(right, length - cut, length - cut);
                assertThat(TwoSides.isPattern(before, offset - 1)).isTrue();
                assertThat(TwoSides.isPattern(after, offset - 1 + cut)).isTrue();
                offset += length;
            }
            // So that the next round begins elsewhere.
            TwoSides.write(left, offset, RING - 1);
            read(right, RING - 1, RING - 1);
            offset += RING - 1;
        }
    }

    /** What is built and taken in place is the same bytes, up to the end of the ring; one octet is always left. */
    @Test
    void carriesWhatIsBuiltInPlaceBetweenOtherBytes() throws IOException {
        TwoSides.write(left, 0, 1);
        long offset = 1;
        for (int i = 0; i < 20 * RING / 61; i++) {
            int length = 1 + i % 60;
            int at = left.reserve(length);
            assertThat(at < 0).isEqualTo(offset % RING + length > RING);
            if (at < 0) {
                TwoSides.write(left, offset, length);
                read(right, length, length);
            } else {
                for (int j = 0; j < length; j++) {
                    left.output().set(ValueLayout.JAVA_BYTE, at + j, TwoSides.octet(offset + j));
                }
                assertThat(left.unread()).isEqualTo(1);
                left.put(length);
                byte[] taken = i % 2 == 0 || at == 0 ? read(right, length, length) : take(length);
                assertThat(TwoSides.isPattern(taken, offset - 1)).isTrue();
            }
            offset += length;
        }
        assertThat(left.unread()).isEqualTo(1);
    }

    /** A poll that finds nothing looks no further; of an end, and of words that cannot be, a read tells. */
    @Test
    void aLookTellsNothingFromWhatAReadIsToTell() throws IOException {
        assertThat(right.look()).isZero();
        TwoSides.write(left, 0, 5);
        assertThat(right.look()).isEqualTo(5);
        left.end();
        assertThat(right.look()).isEqualTo(5);
        read(right, 5, 5);
        assertThat(right.look()).isNegative();
        assertThat(right.read(IoVector.of(ByteBuffer.allocateDirect(8)))).isEqualTo(RingReader.END);
        assertThat(right.look()).isNegative();
    }

    private byte[] take(int expected) {
        assertThat(right.look()).isEqualTo(expected + 1);
        byte[] octets = right.input().asSlice(right.next(), expected).toArray(ValueLayout.JAVA_BYTE);
        right.take(expected);
        return octets;
    }

    @Test
    void hasNoPlaceInAFullRing() throws IOException {
        assertThat(left.reserve(RING)).isZero();
        left.put(RING - 8);
        assertThat(left.reserve(8)).isEqualTo(RING - 8);
        left.put(8);
        assertThat(left.reserve(1)).isNegative();
        read(right, 100, 100);
        assertThat(left.reserve(100)).isZero();
        assertThat(left.reserve(101)).isNegative();
    }

    /** Whole rings, cut at each byte around the end of the ring by both sides. */
    @Test
    void splitsATransferOverTheRingsEnd() throws IOException {
        long offset = 0;
        for (int start = RING - 70; start < RING + 70; start++) {
            int some = (int) (start - offset % RING + RING) % RING;
            TwoSides.write(left, offset, some);
            read(right, some, some);
            offset += some;

            assertThat(TwoSides.write(left, offset, 2 * RING)).isEqualTo(RING);
            assertThat(left.room()).isZero();
            byte[] whole = read(right, 2 * RING, RING);
            assertThat(TwoSides.isPattern(whole, offset)).isTrue();
            offset += RING;
        }
    }

    @Test
    void takesNoMoreThanThereIsRoomFor() throws IOException {
        ByteBuffer much = TwoSides.pattern(0, RING + 100);
        IoVector from = IoVector.of(TwoSides.pattern(-1, 1), much);

        assertThat(left.room()).isEqualTo(RING);
        assertThat(left.write(from)).isEqualTo(RING);
        assertThat(much.remaining()).isEqualTo(101);
        assertThat(left.write(from)).isZero();
        assertThat(left.room()).isZero();

        read(right, 60, 60);
        assertThat(left.room()).isEqualTo(60);
        assertThat(left.write(from)).isEqualTo(60);
        assertThat(TwoSides.isPattern(read(right, 2 * RING, RING), 59)).isTrue();
        assertThat(left.write(from)).isEqualTo(41);
        assertThat(TwoSides.isPattern(read(right, 2 * RING, 41), RING + 59)).isTrue();
    }

    @Test
    void readsNothingIntoAFullVector() throws IOException {
        TwoSides.write(left, 0, 5);

        assertThat(right.read(IoVector.of(ByteBuffer.allocateDirect(0)))).isZero();
        assertThat(right.read(IoVector.EMPTY)).isZero();
        assertThat(left.write(IoVector.EMPTY)).isZero();
        assertThat(right.hasInput()).isTrue();
    }

    @Test
    void knowsRingsOfDifferentSizes() throws IOException {
        TwoSides uneven = TwoSides.of(RING, 4 * RING);

        assertThat(TwoSides.write(uneven.left, 0, 8 * RING)).isEqualTo(RING);
        assertThat(TwoSides.write(uneven.right, 0, 8 * RING)).isEqualTo(4 * RING);
        assertThat(TwoSides.isPattern(read(uneven.right, 8 * RING, RING), 0)).isTrue();
        assertThat(TwoSides.isPattern(read(uneven.left, 8 * RING, 4 * RING), 0)).isTrue();
    }

    // ---- memory that its owner closes -----------------------------------------------------------------------------

    @Test
    void movesNothingOfClosedMemoryNorBehindIt() throws IOException {
        IoVector from = new IoVector(3);
        from.add(TwoSides.pattern(0, 3), MemorySegment.NULL);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(8);
            from.add(memory.asByteBuffer(), memory);
        }
        from.add(TwoSides.pattern(3, 3), MemorySegment.NULL);

        assertThat(left.write(from)).isEqualTo(3);
        assertThat(from.moved()).isEqualTo(3);
        assertThat(left.write(from)).isZero();
        assertThat(TwoSides.isPattern(read(right, 10, 3), 0)).isTrue();
    }

    @Test
    void takesNothingIntoClosedMemory() throws IOException {
        IoVector into = new IoVector(2);
        ByteBuffer open = ByteBuffer.allocateDirect(3);
        into.add(open, MemorySegment.NULL);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(8);
            into.add(memory.asByteBuffer(), memory);
        }
        TwoSides.write(left, 0, 5);

        assertThat(right.read(into)).isEqualTo(3);
        assertThat(right.read(into)).isZero();
        assertThat(TwoSides.isPattern(read(right, 10, 2), 3)).isTrue();
    }

    // ---- ends -----------------------------------------------------------------------------------------------------

    @Test
    void tellsOfTheEndBehindTheLastOctet() throws IOException {
        TwoSides.write(left, 0, 5);
        left.end();
        left.end();

        assertThat(left.unread()).isEqualTo(6);
        read(right, 3, 3);
        assertThat(left.unread()).isEqualTo(3);
        read(right, 3, 2);
        assertThat(left.unread()).isEqualTo(1);
        assertThat(right.hasInput()).isTrue();
        assertThat(TwoSides.read(right, 3)).isNull();
        assertThat(left.unread()).isZero();
        assertThat(right.hasInput()).isFalse();
        assertThat(right.isReset()).isFalse();
        assertThat(TwoSides.read(right, 3)).isNull();
        // The other direction goes on.
        TwoSides.write(right, 0, 5);
        read(left, 9, 5);
    }

    @Test
    void tellsOfAResetBehindTheLastOctet() throws IOException {
        TwoSides.write(left, 0, 5);
        left.reset();

        assertThat(right.isReset()).isTrue();
        read(right, 9, 5);
        assertThat(right.hasInput()).isTrue();
        assertThatThrownBy(() -> TwoSides.read(right, 1)).isInstanceOf(RingResetException.class);
    }

    @Test
    void tellsOfAResetBehindAnEnd() throws IOException {
        left.end();
        assertThat(TwoSides.read(right, 1)).isNull();
        left.reset();

        assertThatThrownBy(() -> TwoSides.read(right, 1)).isInstanceOf(RingResetException.class);
    }

    @Test
    void endsNoMoreAfterAReset() {
        left.reset();
        left.end();

        assertThat(right.isReset()).isTrue();
    }

    // ---- sleeping and waking --------------------------------------------------------------------------------------

    @Test
    void ringsOnceForASleeper() throws IOException {
        assertThat(left.mustRing()).isFalse();
        TwoSides.write(left, 0, 1);
        assertThat(left.mustRing()).isFalse();
        read(right, 1, 1);

        assertThat(right.sleep(true, false)).isTrue();
        assertThat(left.mustRing()).as("for nothing").isFalse();
        TwoSides.write(left, 1, 1);
        assertThat(left.mustRing()).isTrue();
        assertThat(left.mustRing()).isFalse();
        TwoSides.write(left, 2, 1);
        assertThat(left.mustRing()).as("for the same sleep").isFalse();

        right.awake();
        TwoSides.write(left, 3, 1);
        assertThat(left.mustRing()).isFalse();
        read(right, 9, 3);
        assertThat(right.sleep(true, false)).isTrue();
        TwoSides.write(left, 4, 1);
        assertThat(left.mustRing()).as("for the next sleep").isTrue();
    }

    @Test
    void doesNotSleepOnInput() throws IOException {
        TwoSides.write(left, 0, 1);

        assertThat(right.sleep(true, false)).isFalse();
        TwoSides.write(left, 1, 1);
        assertThat(left.mustRing()).as("it took its sleep back").isFalse();
        assertThat(right.sleep(false, false)).as("who does not want it").isTrue();
    }

    @Test
    void ringsForAnEndAndAReset() throws IOException {
        right.sleep(true, false);
        left.end();
        assertThat(left.mustRing()).isTrue();
        assertThat(right.sleep(true, false)).isFalse();
        assertThat(TwoSides.read(right, 1)).isNull();

        assertThat(right.sleep(true, false)).isTrue();
        left.reset();
        assertThat(left.mustRing()).isTrue();
    }

    @Test
    void ringsForRoomOnceHalfOfTheRingIsFree() throws IOException {
        TwoSides.write(left, 0, 100);
        read(right, 100, 100);
        TwoSides.write(left, 100, RING);
        assertThat(left.sleep(false, true)).isTrue();

        int taken = 0;
        while (!right.mustRing()) {
            assertThat(taken).isLessThan(RING);
            taken += read(right, 10, 10).length;
        }
        assertThat(taken).isGreaterThanOrEqualTo(RING / 2);
        read(right, RING, RING - taken);
        assertThat(right.mustRing()).as("for the same sleep").isFalse();
    }

    @Test
    void doesNotSleepWhileThereIsRoom() throws IOException {
        assertThat(left.sleep(false, true)).isFalse();
        TwoSides.write(left, 0, RING);
        read(right, 1, 1);
        assertThat(left.sleep(false, true)).isFalse();
        TwoSides.write(left, 0, 1);
        assertThat(left.sleep(true, true)).isTrue();
    }

    @Test
    void wakesAtItsTailWhoSleepsThereForOctets() throws IOException {
        int before = right.inputWordValue();
        assertThat(right.sleep(true, false, true)).isTrue();
        TwoSides.write(left, 0, 1);
        assertThat(left.mustRing()).isTrue();
        assertThat(left.ringsAtWord()).isTrue();
        assertThat(right.inputWordValue()).isNotEqualTo(before);

        read(right, 1, 1);
        assertThat(right.sleep(true, false)).isTrue();
        TwoSides.write(left, 1, 1);
        assertThat(left.mustRing()).isTrue();
        assertThat(left.ringsAtWord()).as("who sleeps elsewhere").isFalse();
    }

    /** The tail does not change with them, so that who is about to sleep there would sleep on. */
    @Test
    void ringsTheBellForAnEndAndForRoomWhereverThePeerSleeps() throws IOException {
        assertThat(right.sleep(true, false, true)).isTrue();
        TwoSides.write(left, 0, 1);
        left.end();
        assertThat(left.mustRing()).isTrue();
        assertThat(left.ringsAtWord()).isFalse();

        TwoSides.write(right, 0, RING);
        assertThat(right.sleep(false, true, true)).isTrue();
        read(left, RING, RING);
        assertThat(left.mustRing()).isTrue();
        assertThat(left.ringsAtWord()).isFalse();
    }

    @Test
    void doesNotRingForRoomThatNobodyWaitsFor() throws IOException {
        TwoSides.write(left, 0, RING);
        left.sleep(true, false);
        read(right, RING, RING);

        assertThat(right.mustRing()).isFalse();
    }
}
