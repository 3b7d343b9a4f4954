package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.testkit.Requirement;

class Crc32cTest {
    /** RFC 3720 appendix B.4, and the usual check string. */
    static Stream<Arguments> vectors() {
        byte[] ones = new byte[32];
        byte[] up = new byte[32];
        byte[] down = new byte[32];
        for (int i = 0; i < 32; i++) {
            ones[i] = (byte) 0xFF;
            up[i] = (byte) i;
            down[i] = (byte) (31 - i);
        }
        return Stream.of(
                Arguments.of(new byte[32], "aa36918a"),
                Arguments.of(ones, "43aba862"),
                Arguments.of(up, "4e79dd46"),
                Arguments.of(down, "5cdb3f11"),
                Arguments.of("123456789".getBytes(StandardCharsets.US_ASCII), "839206e3"),
                Arguments.of(new byte[0], "00000000"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    @Requirement({"MPA-4.4-01", "MPA-4.4-08", "DDP-3-6-01"})
    void storesTheRegisterLeastSignificantOctetFirst(byte[] data, String wire) {
        Crc32c crc = new Crc32c();
        crc.update(MemorySegment.ofArray(data), 0, data.length);
        MemorySegment field = MemorySegment.ofArray(new byte[7]);
        crc.emit(field, 3);
        assertThat(Octets.copyOf(field, 3, 4)).hasToString(wire);
        assertThat(crc.matches(field, 3)).isTrue();
        assertThat(crc.wireValue()).isEqualTo(Integer.parseUnsignedInt(wire, 16));
        assertThat(crc.value()).isEqualTo(Integer.reverseBytes(crc.wireValue()));
    }

    @Test
    @Requirement({"MPA-4.4-08", "DDP-3-6-01"})
    void agreesForSegmentsBuffersAndSplits() {
        Random random = new Random(32);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(100_000, 64);
            ByteBuffer view = segment.asByteBuffer();
            byte[] data = new byte[100_000];
            random.nextBytes(data);
            MemorySegment.copy(MemorySegment.ofArray(data), 0, segment, 0, data.length);
            Crc32c whole = new Crc32c();
            Crc32c split = new Crc32c();
            for (int round = 0; round < 100; round++) {
                int length = random.nextInt(round < 50 ? 300 : 30_000);
                int from = random.nextInt(data.length - length);
                int cut = random.nextInt(length + 1);
                whole.reset();
                whole.update(segment, from, length);
                split.reset();
                split.update(view, from, cut);
                split.update(segment, from + cut, length - cut);
                assertThat(whole.value()).isEqualTo(bitwise(data, from, length));
                assertThat(split.value()).isEqualTo(whole.value());
            }
        }
    }

    /** The definition, one bit at a time. */
    private static int bitwise(byte[] data, int from, int length) {
        int register = -1;
        for (int i = 0; i < length; i++) {
            register ^= data[from + i] & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                register = (register & 1) == 0 ? register >>> 1 : (register >>> 1) ^ 0x82F63B78;
            }
        }
        return ~register;
    }

    @Test
    @Requirement("DDP-3-6-01")
    void addsZerosAndNoticesEveryFlippedBit() {
        byte[] fpdu = Samples.bytes("F05");
        MemorySegment segment = MemorySegment.ofArray(fpdu);
        Crc32c crc = new Crc32c();
        crc.update(segment, 0, 25);
        crc.updateZeros(3);
        assertThat(crc.matches(segment, 28)).isTrue();
        for (int bit = 0; bit < fpdu.length * 8; bit++) {
            fpdu[bit / 8] ^= (byte) (1 << bit % 8);
            crc.reset();
            crc.update(segment, 0, 28);
            assertThat(crc.matches(segment, 28)).as("bit %d", bit).isFalse();
            fpdu[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }
}
