package org.panamaverbs.iwarp.iovec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.wire.Allocation;

/** What one transfer moves. */
class IoVectorTest {
    private static ByteBuffer octets(int count) {
        return ByteBuffer.allocateDirect(count);
    }

    @Test
    void hasItsEntriesInOrderWithWhereTheyLie() {
        ByteBuffer one = octets(3);
        ByteBuffer two = octets(5);
        MemorySegment start = MemorySegment.ofAddress(4096);
        IoVector vector = new IoVector(2);
        assertThat(vector.isEmpty()).isTrue();
        assertThat(vector.hasRemaining()).isFalse();

        vector.add(one, start);
        vector.add(two, MemorySegment.NULL);

        assertThat(vector.count()).isEqualTo(2);
        assertThat(vector.buffer(vector.first())).isSameAs(one);
        assertThat(vector.memory(vector.first())).isEqualTo(start);
        assertThat(vector.buffer(vector.end() - 1)).isSameAs(two);
        assertThat(vector.hasRemaining()).isTrue();
    }

    @Test
    void movesThePositionsOverWhatWasMoved() {
        ByteBuffer one = octets(3);
        ByteBuffer none = octets(0);
        ByteBuffer two = octets(5);
        IoVector vector = IoVector.of(one, none, two);

        vector.begin();
        vector.advance(0, 4);
        assertThat(one.hasRemaining()).isFalse();
        assertThat(two.position()).isEqualTo(1);
        vector.advance(2, 4);
        assertThat(two.hasRemaining()).isFalse();
        assertThat(vector.hasRemaining()).isFalse();
        assertThat(vector.moved()).isEqualTo(8);

        vector.begin();
        vector.count(1);
        assertThat(vector.moved()).isEqualTo(1);
    }

    @Test
    void leavesEntriesOutAtBothEnds() {
        IoVector vector = IoVector.of(octets(1), octets(2), octets(3));
        vector.skip();
        vector.truncate(2);

        assertThat(vector.count()).isEqualTo(1);
        assertThat(vector.buffer(vector.first()).capacity()).isEqualTo(2);
        vector.skip();
        assertThat(vector.isEmpty()).isTrue();
        vector.clear();
        assertThat(vector.first()).isZero();
        assertThat(vector.end()).isZero();
    }

    @Test
    void keepsNoMemoryThatItForgets() {
        IoVector vector = IoVector.of(octets(7));
        vector.forget(0);

        assertThat(vector.buffer(0).capacity()).isZero();
        assertThat(vector.memory(0)).isEqualTo(MemorySegment.NULL);
    }

    @Test
    void allocatesNothing() {
        IoVector vector = new IoVector(2);
        ByteBuffer one = octets(4);
        ByteBuffer two = octets(4);
        long bytes = Allocation.bytesPerThousand(() -> {
            vector.clear();
            vector.add(one.clear(), MemorySegment.NULL);
            vector.add(two.clear(), MemorySegment.NULL);
            vector.begin();
            vector.advance(vector.first(), 8);
            if (vector.hasRemaining() || vector.moved() != 8) {
                throw new AssertionError("not all is moved");
            }
        });

        assertThat(bytes).isNotPositive();
    }
}
