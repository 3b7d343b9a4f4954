package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.testkit.Requirement;

/** Atomics between two streams. */
class PairAtomicTest {
    private final Pair pair = new Pair().start();
    private final Side a = pair.a;
    private final Side b = pair.b;

    // RFC 7306 §5.1: the address of the buffer is what has to be aligned; the offset that names it may be anything.
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    @Requirement({"EXT-5.1.1-01", "EXT-5.1.2-04"})
    void alignmentIsThatOfTheAddress(int operation) {
        HostileFixture fixture = HostileFixture.responder();
        Guarded odd = fixture.side.memory(64, 0x9_0004, Guarded.ALL);
        fixture.peer.inject(atomic(operation, 1, odd, 0x9_0004));
        assertThat(odd.getLong(0)).isEqualTo(1);
        assertThat(fixture.peer.answers).hasSize(1);
        fixture.peer.inject(atomic(operation, 2, odd, 0x9_0008));
        assertThat(fixture.peer.terminates())
                .singleElement()
                .matches(found -> found.code().equals("0/2/07"));
        assertThat(odd.bytes(8, 56)).containsOnly(0);
    }

    private static byte[] atomic(int operation, int msn, Guarded cell, long to) {
        byte[] header = Segments.atomicHeader(operation, msn, cell.stag(), to, 1, operation == 0 ? 0 : -1, 0, -1);
        return Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, msn, 0, true, header);
    }

    @Test
    @Requirement({
        "EXT-5.2.1-03",
        "EXT-5.2.2-1-01",
        "EXT-1.1-01",
        "EXT-5-02",
        "DRAFT01-5-01",
        "EXT-5.1.1-04",
        "EXT-5.1.1-05",
        "EXT-5.1.1-06",
        "EXT-5.1.2-01",
        "EXT-5.1.2-02",
        "EXT-5.1.2-03",
        "EXT-5.2.2-6-01",
        "DRAFT01-5.1.2-02"
    })
    void addsAndSwapsAtomically() {
        Guarded local = a.memory(64);
        Guarded cell = b.memory(64).putLong(8, 40).putLong(16, 0x0000_FFFF_0000_FFFFL);
        a.fetchAdd(1, local, 0, cell, 8, 2);
        atomic(SendOpcode.CMP_SWAP, 2, local, 8, cell, 8, 42, 99, -1L, -1L);
        atomic(SendOpcode.CMP_SWAP, 3, local, 16, cell, 8, 42, 7, -1L, -1L);
        // Two fields of 32 bits: the carry out of the lower one is dropped.
        atomic(
                SendOpcode.MASKED_FETCH_ADD,
                4,
                local,
                24,
                cell,
                16,
                0x0000_0001_FFFF_0001L,
                0,
                0x8000_0000_8000_0000L,
                0);
        atomic(SendOpcode.MASKED_CMP_SWAP, 5, local, 32, cell, 8, 0xFF63, 0xABCD, 0xFF, 0xFF00);
        atomic(SendOpcode.MASKED_CMP_SWAP, 6, local, 40, cell, 8, 1, 2, 0xFF, -1L);
        // Swap: a compare mask of 0 always matches.
        atomic(SendOpcode.MASKED_CMP_SWAP, 7, local, 48, cell, 8, 5, -5L, 0, -1L);
        pair.settle();
        assertThat(a.sends.brief())
                .containsExactly(
                        "1 FETCH_ADD",
                        "2 CMP_SWAP",
                        "3 CMP_SWAP",
                        "4 FETCH_ADD",
                        "5 CMP_SWAP",
                        "6 CMP_SWAP",
                        "7 CMP_SWAP");
        assertThat(a.sends.list).allMatch(wc -> wc.byteCount() == 8);
        assertThat(local.getLong(0)).isEqualTo(40);
        assertThat(local.getLong(8)).isEqualTo(42);
        assertThat(local.getLong(16)).isEqualTo(99);
        assertThat(local.getLong(24)).isEqualTo(0x0000_FFFF_0000_FFFFL);
        assertThat(local.getLong(32)).isEqualTo(99);
        assertThat(local.getLong(40)).isEqualTo(0xAB63L);
        assertThat(local.getLong(48)).isEqualTo(0xAB63L);
        assertThat(cell.getLong(16)).isEqualTo(0x0001_0000_0000_0000L);
        assertThat(cell.getLong(8)).isEqualTo(-5);
        assertThat(b.receives.list).isEmpty();
        pair.disconnect();
    }

    @Test
    @Requirement({"EXT-5.1.1-04", "DRAFT01-5.1.1-01"})
    void addsWithFieldMaskAsTheRfcComputesIt() {
        Guarded local = a.memory(64);
        Guarded cell = b.memory(8).putLong(0, 0xFFFF_FFFF_FFFF_FFFFL);
        atomic(SendOpcode.MASKED_FETCH_ADD, 1, local, 0, cell, 0, 0x0101_0101_0101_0101L, 0, 0x8080_8080_8080_8080L, 0);
        pair.settle();
        assertThat(cell.getLong(0)).isZero();
        atomic(SendOpcode.MASKED_FETCH_ADD, 2, local, 0, cell, 0, 0x00FF_0001_0002_FFFFL, 0, 0, 0);
        pair.settle();
        assertThat(cell.getLong(0)).isEqualTo(0x00FF_0001_0002_FFFFL);
        pair.disconnect();
    }

    private void atomic(
            SendOpcode operation,
            long wrId,
            Guarded local,
            long offset,
            Guarded cell,
            long cellOffset,
            long compareOrAdd,
            long swap,
            long compareOrFieldMask,
            long swapMask) {
        int status = a.stream
                .sends()
                .postAtomic(
                        operation,
                        wrId,
                        local.base + offset,
                        local.stag(),
                        cell.base + cellOffset,
                        cell.stag(),
                        compareOrAdd,
                        swap,
                        compareOrFieldMask,
                        swapMask,
                        SendFlag.SIGNALED);
        assertThat(status).isEqualTo(PostStatus.ACCEPTED);
    }
}
