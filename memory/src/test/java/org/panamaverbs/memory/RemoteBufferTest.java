package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteBufferTest {
    private static final RemoteBuffer BUFFER =
            RemoteBuffer.of(0xCAFE0102, 0x00007F1122334450L, 4096, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    private static final byte[] ENCODED =
            HexFormat.of().parseHex("cafe0102" + "0000000c" + "00007f1122334450" + "0000000000001000");

    @Test
    void encodesToTheGoldenBytes() {
        assertThat(BUFFER.encode()).isEqualTo(ENCODED).hasSize(RemoteBuffer.BYTES);
    }

    @Test
    void decodesTheGoldenBytes() {
        RemoteBuffer decoded = RemoteBuffer.decode(ENCODED);
        assertThat(decoded).isEqualTo(BUFFER).hasSameHashCodeAs(BUFFER);
        assertThat(decoded.rkey()).isEqualTo(0xCAFE0102);
        assertThat(decoded.rkey()).isEqualTo(0xCAFE0102);
        assertThat(decoded.address()).isEqualTo(0x00007F1122334450L);
        assertThat(decoded.length()).isEqualTo(4096);
        assertThat(decoded.rights()).isEqualTo(0xC);
        assertThat(decoded)
                .hasToString("RemoteBuffer[rkey=0xcafe0102, address=0x00007f1122334450, length=4096,"
                        + " rights=REMOTE_READ|REMOTE_ATOMIC]");
    }

    @Test
    void unknownRightsAreNotCheckedAndNotEncoded() {
        RemoteBuffer foreign = RemoteBuffer.ofUnknownRights(0xCAFE0102, 0x1000, 64);

        assertThat(foreign.rightsKnown()).isFalse();
        assertThat(BUFFER.rightsKnown()).isTrue();
        assertThat(foreign.rights()).isZero();
        assertThat(foreign).isNotEqualTo(RemoteBuffer.of(0xCAFE0102, 0x1000, 64, 0));
        assertThat(foreign)
                .hasToString("RemoteBuffer[rkey=0xcafe0102, address=0x0000000000001000, length=64, rights=unknown]");
        for (Access right : new Access[] {Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}) {
            assertThat(foreign.checkedOffset(8, 56, right)).isEqualTo(0x1008);
        }
        assertThat(foreign.slice(8, 8).checkedOffset(0, 8, Access.REMOTE_WRITE)).isEqualTo(0x1008);
        assertThatThrownBy(() -> foreign.checkedOffset(8, 57, Access.REMOTE_READ))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> foreign.checkedAtomicOffset(4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(foreign::encode)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RemoteBuffer.of");
        assertThatThrownBy(() -> RemoteBuffer.ofUnknownRights(1, -1, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ignoresThePaddingOfPrivateData() {
        assertThat(RemoteBuffer.decode(Arrays.copyOf(ENCODED, 56))).isEqualTo(BUFFER);
    }

    @Test
    void travelsThroughUnalignedNativeMemory() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(32);
            BUFFER.encode(segment, 3);
            assertThat(segment.asSlice(3, 24).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .isEqualTo(ENCODED);
            assertThat(RemoteBuffer.decode(segment, 3)).isEqualTo(BUFFER);
        }
    }

    @Test
    void travelsThroughByteBuffersOfEitherOrder() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            ByteBuffer buffer = ByteBuffer.allocate(30).order(order).position(5);
            BUFFER.encode(buffer);
            assertThat(buffer.position()).isEqualTo(29);
            assertThat(Arrays.copyOfRange(buffer.array(), 5, 29)).isEqualTo(ENCODED);
            buffer.flip().position(5);
            assertThat(RemoteBuffer.decode(buffer)).isEqualTo(BUFFER);
            assertThat(buffer.remaining()).isZero();
        }
    }

    @Test
    void refusesTooFewOctets() {
        byte[] truncated = Arrays.copyOf(ENCODED, 23);
        assertThatThrownBy(() -> RemoteBuffer.decode(truncated))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("24 bytes")
                .hasMessageContaining("23 bytes");
        ByteBuffer full = ByteBuffer.allocate(23);
        assertThatThrownBy(() -> RemoteBuffer.decode(full)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BUFFER.encode(full)).isInstanceOf(IllegalArgumentException.class);
        assertThat(full.position()).isZero();
        MemorySegment segment = MemorySegment.ofArray(new byte[32]);
        assertThatThrownBy(() -> BUFFER.encode(segment, 9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BUFFER.encode(segment, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RemoteBuffer.decode(segment, Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "cafe0102 00000004 ffffffffffffffff 0000000000000002, wraps beyond 2^64 - 1",
        "cafe0102 00000004 0000000000000000 8000000000000000, 9223372036854775808",
        "cafe0102 00000004 0000000000000000 ffffffffffffffff, expected at most 2^63 - 1",
        "cafe0102 00000c04 0000000000000000 0000000000000001, unknown rights: REMOTE_READ|0xc00",
        "cafe0102 80000000 0000000000000000 0000000000000001, unknown rights: 0x80000000",
    })
    void refusesBytesThatEncodeNoBuffer(String hex, String reason) {
        byte[] encoded = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertThatThrownBy(() -> RemoteBuffer.decode(encoded))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void acceptsTheLegalExtremes() {
        RemoteBuffer last = RemoteBuffer.of(-1, -1L, 1, Access.REMOTE_READ);
        assertThat(RemoteBuffer.decode(last.encode())).isEqualTo(last);
        assertThat(last.checkedOffset(0, 1, Access.REMOTE_READ)).isEqualTo(-1L);
        RemoteBuffer longest = RemoteBuffer.of(0, 0, Long.MAX_VALUE, 0x1003FF);
        assertThat(RemoteBuffer.decode(longest.encode())).isEqualTo(longest);
        RemoteBuffer empty = RemoteBuffer.of(0, -1L, 0, 0);
        assertThat(RemoteBuffer.decode(empty.encode())).isEqualTo(empty);
    }

    @ParameterizedTest
    @CsvSource({"0, 4096", "4095, 1", "4096, 0", "0, 0"})
    void computesOffsetsWithinBounds(long offset, long length) {
        assertThat(BUFFER.checkedOffset(offset, length, Access.REMOTE_READ)).isEqualTo(0x7F1122334450L + offset);
        assertThat(BUFFER.slice(offset, length).length()).isEqualTo(length);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4097",
        "4096, 1",
        "4097, 0",
        "-1, 1",
        "0, -1",
        "1, 9223372036854775807",
        "9223372036854775807, 1",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, 0"
    })
    void refusesRangesOutOfBounds(long offset, long length) {
        assertThatThrownBy(() -> BUFFER.checkedOffset(offset, length, Access.REMOTE_READ))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining(length + " bytes at offset " + offset)
                .hasMessageContaining("0xcafe0102");
        assertThatThrownBy(() -> BUFFER.slice(offset, length)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesRightsThePeerDidNotGrant() {
        assertThatThrownBy(() -> BUFFER.checkedOffset(0, 1, Access.REMOTE_WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_WRITE")
                .hasMessageContaining("rights=REMOTE_READ|REMOTE_ATOMIC");
        RemoteBuffer readOnly = RemoteBuffer.of(1, 0, 64, Access.REMOTE_READ);
        assertThatThrownBy(() -> readOnly.checkedAtomicOffset(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_ATOMIC");
        RemoteBuffer writable = RemoteBuffer.of(1, 0, 64, Access.REMOTE_WRITE);
        assertThat(writable.checkedAtomicOffset(8, Access.REMOTE_WRITE)).isEqualTo(8);
        assertThatThrownBy(() -> writable.checkedAtomicOffset(8, Access.REMOTE_ATOMIC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_ATOMIC");
    }

    @Test
    void refusesUnalignedAtomicTargets() {
        assertThat(BUFFER.checkedAtomicOffset(4088)).isEqualTo(0x7F1122334450L + 4088);
        assertThatThrownBy(() -> BUFFER.checkedAtomicOffset(4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a multiple of 8");
        assertThatThrownBy(() -> BUFFER.checkedAtomicOffset(4089)).isInstanceOf(IndexOutOfBoundsException.class);
        RemoteBuffer odd = BUFFER.slice(4, 64);
        assertThat(odd.checkedAtomicOffset(4))
                .as("only the tagged offset counts")
                .isEqualTo(0x7F1122334458L);
        assertThatThrownBy(() -> odd.checkedAtomicOffset(8)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void slicesKeepTagAndRights() {
        assertThat(BUFFER.slice(16, 32)).isEqualTo(RemoteBuffer.of(0xCAFE0102, 0x7F1122334460L, 32, 0xC));
        assertThat(BUFFER.slice(16, 32)).isNotEqualTo(BUFFER.slice(16, 33)).isNotEqualTo(BUFFER.slice(17, 32));
    }

    @Test
    void refusesANegativeLengthAndAWrap() {
        assertThatThrownBy(() -> RemoteBuffer.of(1, 0, -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RemoteBuffer.of(1, -8L, 9, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0xfffffffffffffff8");
    }
}
