package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the words of a file lie, byte for byte. */
class RingLayoutTest {
    private static final int RING = RingLayout.MIN_RING_BYTES;

    private static String hex(MemorySegment file, long offset, int count) {
        return HexFormat.of().formatHex(file.asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE));
    }

    private static void assumeLittleEndian() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void formatsAFile() {
        assumeLittleEndian();
        MemorySegment file = TwoSides.file(RING);

        assertThat(file.byteSize()).isEqualTo(4096 + RING);
        assertThat(hex(file, 0, 16)).isEqualTo("50567262" + "02000000" + "0040000000000000");
        assertThat(file.asSlice(16).mismatch(Arena.ofAuto().allocate(file.byteSize() - 16)))
                .isEqualTo(-1);
    }

    /** All that both sides store in a stream of some bytes, whose right side has slept once and has seen the end. */
    @Test
    void storesItsWordsWhereThePeerLooksForThem() throws IOException {
        assumeLittleEndian();
        TwoSides sides = TwoSides.smallest();

        TwoSides.write(sides.left, 0, 0x123);
        sides.left.end();
        assertThat(TwoSides.read(sides.right, 0x200)).hasSize(0x123);
        assertThat(TwoSides.read(sides.right, 1)).isNull();
        assertThat(sides.right.sleep(true, false)).isTrue();
        assertThat(sides.left.sleep(true, false)).isTrue();
        sides.left.awake();
        assertThat(sides.left.sleep(true, false)).isTrue();

        assertThat(hex(sides.leftFile, 256, 8)).as("tail").isEqualTo("2301000000000000");
        assertThat(hex(sides.leftFile, 264, 8)).as("origin").isEqualTo("0000000000000000");
        assertThat(hex(sides.leftFile, 512, 8)).as("head").isEqualTo("0000000000000000");
        assertThat(hex(sides.leftFile, 768, 8)).as("sleep").isEqualTo("0900000000000000");
        assertThat(hex(sides.leftFile, 1024, 8)).as("end, end seen").isEqualTo("0100000000000000");
        assertThat(hex(sides.leftFile, 4096, 3)).as("octets").isEqualTo(patternHex(3));
        assertThat(hex(sides.rightFile, 256, 8)).as("tail").isEqualTo("0000000000000000");
        assertThat(hex(sides.rightFile, 512, 8)).as("head").isEqualTo("2301000000000000");
        assertThat(hex(sides.rightFile, 768, 8)).as("sleep").isEqualTo("0500000000000000");
        assertThat(hex(sides.rightFile, 1024, 8)).as("end, end seen").isEqualTo("0000000001000000");

        sides.right.reset();
        assertThat(hex(sides.rightFile, 1024, 8)).as("end, end seen").isEqualTo("0200000001000000");
        assertThat(hex(sides.rightFile, 4096, 3)).as("no bytes").isEqualTo("000000");
    }

    /** Who fills a ring that is empty begins at its first octet again, after some. */
    @Test
    void storesWhereTheRingBeganAgain() throws IOException {
        assumeLittleEndian();
        TwoSides sides = TwoSides.smallest();

        TwoSides.write(sides.left, 0, RING / 4);
        assertThat(TwoSides.read(sides.right, RING)).hasSize(RING / 4);
        TwoSides.write(sides.left, 0, 3);

        assertThat(hex(sides.leftFile, 264, 8)).as("origin").isEqualTo("0010000000000000");
        assertThat(hex(sides.leftFile, 4096, 3)).as("octets").isEqualTo(patternHex(3));
    }

    private static String patternHex(int count) {
        byte[] octets = new byte[count];
        TwoSides.pattern(0, count).get(octets);
        return HexFormat.of().formatHex(octets);
    }

    @Test
    void acceptsWhatItFormats() throws IOException {
        for (int ring = RingLayout.MIN_RING_BYTES; ring <= RingLayout.MAX_RING_BYTES; ring *= 2) {
            assertThat(RingLayout.ringBytes(TwoSides.file(ring))).isEqualTo(ring);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1, 8192, 16383, 16385, 24576, 33554432, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32})
    void refusesOtherSizes(long ringBytes) {
        assertThat(RingLayout.isRingSize(ringBytes)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> RingLayout.fileBytes(ringBytes));
    }

    @Test
    void refusesToFormatAFileOfAnotherSize() {
        MemorySegment file = Arena.ofAuto().allocate(RingLayout.fileBytes(RING), 8);

        assertThatIllegalArgumentException().isThrownBy(() -> RingLayout.format(file, 2 * RING));
        assertThatIllegalArgumentException().isThrownBy(() -> RingLayout.format(file.asSlice(8), RING));
        assertThatIllegalArgumentException().isThrownBy(() -> new RingPair(file.asSlice(8), file));
        assertThatIllegalArgumentException().isThrownBy(() -> new RingPair(file, file.asSlice(8)));
    }

    /** Each byte of the first words wrong. */
    @Test
    void refusesAPeersFileWithOtherWords() {
        for (int offset = 0; offset < 16; offset++) {
            MemorySegment file = TwoSides.file(RING);
            file.set(ValueLayout.JAVA_BYTE, offset, (byte) (file.get(ValueLayout.JAVA_BYTE, offset) ^ 0x10));

            assertThatThrownBy(() -> RingLayout.ringBytes(file))
                    .isInstanceOf(RingCorruptException.class)
                    .hasMessageContaining("expected 62725650, 2 and 16384");
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "16", "4096", "20479", "20481", "24576"})
    void refusesAPeersFileOfAnotherSize(long bytes) {
        MemorySegment file = Arena.ofAuto().allocate(Math.max(1, bytes), 8).asSlice(0, bytes);

        assertThatThrownBy(() -> RingLayout.ringBytes(file))
                .isInstanceOf(RingCorruptException.class)
                .hasMessageContaining(Long.toString(bytes));
    }
}
