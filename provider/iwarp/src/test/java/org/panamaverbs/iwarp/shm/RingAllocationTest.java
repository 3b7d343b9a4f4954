package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.wire.Allocation;

/** Nothing is allocated for a transfer, a sleep or a bell. */
@Tag("alone")
class RingAllocationTest {
    private final TwoSides sides = TwoSides.smallest();

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 4096, 3 * RingLayout.MIN_RING_BYTES / 4})
    void transfersAllocateNothing(int count) {
        ByteBuffer from = ByteBuffer.allocateDirect(count);
        ByteBuffer into = ByteBuffer.allocateDirect(count);
        IoVector source = new IoVector(2);
        IoVector sink = new IoVector(2);

        assertThat(Allocation.bytesPerThousand(() -> {
                    try {
                        source.clear();
                        source.add(from.clear().limit(count / 2), MemorySegment.NULL);
                        long written = sides.left.write(source);
                        boolean asleep = sides.right.sleep(true, false);
                        source.clear();
                        source.add(from.clear().position(count / 2), MemorySegment.NULL);
                        written += sides.left.write(source);
                        boolean bell = sides.left.mustRing();
                        sides.right.awake();
                        sink.clear();
                        sink.add(into.clear(), MemorySegment.NULL);
                        long read = sides.right.hasInput() ? sides.right.read(sink) : 0;
                        sides.right.mustRing();
                        if (written != count || read != count || sides.left.unread() != 0 || bell != asleep) {
                            throw new AssertionError(written + " written, " + read + " read");
                        }
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }))
                .isZero();
    }
}
