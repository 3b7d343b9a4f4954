package org.panamaverbs.bench.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ways post the same, and neither allocates. */
class WriteBatchTest {
    private static final int COUNT = 16;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bothWaysPostTheSameRequests(boolean critical) {
        MemorySegment ring = Floor.ring();
        WriteBatch batch = new WriteBatch(ring, COUNT, critical);
        long empty = Stub.ringSum(ring.address(), COUNT);

        assertThat(batch.chain(11, 22, 33, 44)).isZero();
        long chain = Stub.ringSum(ring.address(), COUNT);
        assertThat(batch.chain(11, 22, 33, 45)).isZero();
        long other = Stub.ringSum(ring.address(), COUNT);
        assertThat(batch.calls(11, 22, 33, 44)).isZero();
        long calls = Stub.ringSum(ring.address(), COUNT);

        assertThat(chain).isNotEqualTo(empty).isNotEqualTo(other);
        assertThat(calls).isEqualTo(chain);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void neitherWayAllocates(boolean critical) {
        WriteBatch batch = new WriteBatch(Floor.ring(), COUNT, critical);
        Allocation.none(() -> batch.chain(11, 22, 33, 44));
        Allocation.none(() -> batch.calls(11, 22, 33, 44));
    }
}
