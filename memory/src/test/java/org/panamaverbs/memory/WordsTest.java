package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** STag, TaggedOffset and Access. */
class WordsTest {
    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

    @Test
    void printsStagsInHexadecimal() {
        assertThat(STag.of(0xCAFE0100)).hasToString("0xcafe0100");
        assertThat(STag.of(7)).hasToString("0x00000007");
        assertThat(STag.of(0xCAFE0100).value()).isEqualTo(0xCAFE0100);
    }

    @Test
    void detectsWrapBeyondTheLastTaggedOffset() {
        assertThat(TaggedOffset.wraps(-1L, 0)).isFalse();
        assertThat(TaggedOffset.wraps(-1L, 1)).as("the last byte is legal").isFalse();
        assertThat(TaggedOffset.wraps(-1L, 2)).isTrue();
        assertThat(TaggedOffset.wraps(0, -1L)).isFalse();
        assertThat(TaggedOffset.wraps(1, -1L)).as("ends exactly at 2^64").isFalse();
        assertThat(TaggedOffset.wraps(2, -1L)).isTrue();
        assertThat(TaggedOffset.wraps(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void agreesWithExactArithmetic() {
        SplittableRandom random = new SplittableRandom(5041);
        int within = 0;
        for (int i = 0; i < 100_000; i++) {
            long to = edgy(random);
            long length = edgy(random);
            long base = edgy(random);
            long size = edgy(random);
            BigInteger end = exact(to).add(exact(length));
            BigInteger outerEnd = exact(base).add(exact(size));
            assertThat(TaggedOffset.wraps(to, length))
                    .as("wraps(%x, %x)", to, length)
                    .isEqualTo(length != 0 && end.compareTo(TWO_TO_64) > 0);
            if (outerEnd.compareTo(TWO_TO_64) <= 0) {
                boolean expected = exact(to).compareTo(exact(base)) >= 0 && end.compareTo(outerEnd) <= 0;
                within += expected ? 1 : 0;
                assertThat(TaggedOffset.within(to, length, base, size))
                        .as("within(%x, %x, %x, %x)", to, length, base, size)
                        .isEqualTo(expected);
            }
        }
        assertThat(within).as("cases that are within").isGreaterThan(1_000);
    }

    private static long edgy(SplittableRandom random) {
        long small = random.nextLong(-4, 5);
        return switch (random.nextInt(4)) {
            case 0 -> small;
            case 1 -> Long.MIN_VALUE + small;
            case 2 -> (1L << 32) + small;
            default -> random.nextLong();
        };
    }

    private static BigInteger exact(long unsigned) {
        return new BigInteger(Long.toUnsignedString(unsigned));
    }

    @Test
    void addsUntilItWraps() {
        TaggedOffset high = TaggedOffset.of(-16L);
        assertThat(high.plus(15)).isEqualTo(TaggedOffset.of(-1L)).hasToString("0xffffffffffffffff");
        assertThat(TaggedOffset.of(Long.MAX_VALUE).plus(1).value()).isEqualTo(Long.MIN_VALUE);
        assertThatThrownBy(() -> high.plus(16))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("0xfffffffffffffff0 + 16 wraps");
        assertThatThrownBy(() -> high.plus(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ordersOffsetsUnsigned() {
        assertThat(TaggedOffset.of(-1L)).isGreaterThan(TaggedOffset.of(1));
        assertThat(TaggedOffset.of(0)).isLessThan(TaggedOffset.of(Long.MIN_VALUE));
    }

    @Test
    void usesTheBitsOfTheVerbsHeader() {
        // infiniband/verbs.h: enum ibv_access_flags.
        int[] expected = {0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x100000};
        assertThat(Access.values()).extracting(Access::bit).containsExactly(box(expected));
    }

    private static Integer[] box(int[] values) {
        return java.util.Arrays.stream(values).boxed().toArray(Integer[]::new);
    }

    @Test
    void translatesRightsToMasksAndBack() {
        int mask = Access.mask(Access.REMOTE_READ, Access.LOCAL_WRITE);
        assertThat(mask).isEqualTo(5);
        assertThat(Access.mask(Access.set(mask))).isEqualTo(5);
        assertThat(Access.set(mask)).isEqualTo(Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ));
        assertThat(Access.REMOTE_READ.in(mask)).isTrue();
        assertThat(Access.REMOTE_WRITE.in(mask)).isFalse();
        assertThat(Access.format(mask)).isEqualTo("LOCAL_WRITE|REMOTE_READ");
        assertThat(Access.format(0)).isEqualTo("none");
        assertThat(Access.format(0x404)).isEqualTo("REMOTE_READ|0x400");
        assertThat(Access.set(0x400)).isEmpty();
    }
}
