package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What runs once per message allocates nothing. */
@Tag("alone")
class AllocationTest {
    private long sink;

    @Test
    void noticesAllocations() {
        long bytes = Allocation.bytesPerThousand(
                () -> sink += Octets.of(new byte[(int) (sink & 7) + 16]).hashCode(), TimeUnit.SECONDS.toNanos(1));
        assertThat(bytes).isGreaterThan(16_000);
    }

    @Test
    void emitsAndReadsTaggedSegmentsForFree() {
        TaggedView view = new TaggedView();
        measure(segment -> {
            DdpHeader.emitTagged(segment, 2, true, Opcode.RDMA_WRITE, 7, 4096);
            if (view.wrap(segment, 2, 1000).check() == null) {
                sink += view.stag()
                        + view.to()
                        + view.payloadLength()
                        + view.opcode().code()
                        + (view.last() ? 1 : 0);
            }
        });
    }

    @Test
    void emitsAndReadsUntaggedSegmentsForFree() {
        UntaggedView view = new UntaggedView();
        measure(segment -> {
            DdpHeader.emitUntagged(segment, 2, true, Opcode.SEND_SE_INVALIDATE, 7, 1, 0);
            if (view.wrap(segment, 2, 1000).check() == null) {
                sink += view.msn()
                        + view.mo()
                        + view.qn()
                        + view.invalidateStag()
                        + view.opcode().queue();
            }
        });
    }

    @Test
    void emitsAndReadsControlMessagesForFree() {
        ReadRequestView read = new ReadRequestView();
        AtomicRequestView atomic = new AtomicRequestView();
        AtomicResponseView response = new AtomicResponseView();
        ImmediateDataView immediate = new ImmediateDataView();
        measure(segment -> {
            ReadRequestView.emit(segment, 20, 1, 2, 3, 4, 5);
            read.wrap(segment, 20);
            sink += read.sinkStag() + read.sinkTo() + read.size() + read.sourceStag() + read.sourceTo();
            AtomicRequestView.emitCompareSwap(segment, 20, 1, 2, 3, 4, 5, 6, 7);
            atomic.wrap(segment, 20);
            sink += atomic.check() == null && atomic.operation() == AtomicOpcode.COMPARE_SWAP ? atomic.data() : 1;
            AtomicResponseView.emit(segment, 20, 1, 2);
            sink += response.wrap(segment, 20).original();
            ImmediateDataView.emit(segment, 20, 9);
            sink += immediate.wrap(segment, 20).immediate();
        });
    }

    @Test
    void framesForFree() {
        Crc32c crc = new Crc32c();
        try (Arena arena = Arena.ofConfined()) {
            ByteBuffer payload = arena.allocate(4096).asByteBuffer();
            measure(segment -> {
                Fpdu.emitLength(segment, 0, 21);
                Fpdu.emitPad(segment, 23, 21);
                Markers.emit(segment, 40, Markers.fpduPointer(sink, 0));
                crc.reset();
                crc.update(segment, 0, Fpdu.crcOffset(21));
                crc.update(payload, 8, 1024);
                crc.emit(segment, Fpdu.crcOffset(21));
                sink += crc.matches(segment, Fpdu.crcOffset(21)) ? Fpdu.ulpduLength(segment, 0) : 0;
                sink += Markers.count(sink, 100) + Markers.fpduPointer(segment, 40);
            });
        }
    }

    private interface Operation {
        void run(MemorySegment segment);
    }

    private static void measure(Operation operation) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(256);
            assertThat(Allocation.bytesPerThousand(() -> operation.run(segment)))
                    .isZero();
        }
    }
}
