package org.panamaverbs.bench.iwarp;

import static org.panamaverbs.iwarp.wire.DdpHeader.TAGGED_BYTES;
import static org.panamaverbs.iwarp.wire.DdpHeader.UNTAGGED_BYTES;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;

/** What a header costs to write. */
@Question("What does it cost to write a header, beside raw stores of as many bytes?")
public class HeaderEncodeBenchmark extends NanosecondsBenchmark {
    private static final int STAG = 0x00AB_CD01;
    private static final int READ_BYTES = UNTAGGED_BYTES + ReadRequestView.BYTES;
    private static final int ATOMIC_BYTES = UNTAGGED_BYTES + AtomicRequestView.BYTES;
    private static final int PAYLOAD = 61;
    private static final int FPDU_BYTES = Fpdu.LENGTH_BYTES + TAGGED_BYTES;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment = arena.allocate(128, 8);
    private long to;

    @TearDown
    public void close() {
        arena.close();
    }

    /** The header of an RDMA Write. */
    @Benchmark
    @Against("store14")
    public void tagged() {
        DdpHeader.emitTagged(segment, 0, true, Opcode.RDMA_WRITE, STAG, to++);
    }

    /** As many bytes as a tagged header. */
    @Benchmark
    public void store14() {
        RawOctets.store(segment, TAGGED_BYTES, to++);
    }

    /** The header of a Send. */
    @Benchmark
    @Against("store18")
    public void untagged() {
        DdpHeader.emitUntagged(segment, 0, true, Opcode.SEND, 0, (int) to++, 0);
    }

    /** As many bytes as an untagged header. */
    @Benchmark
    public void store18() {
        RawOctets.store(segment, UNTAGGED_BYTES, to++);
    }

    /** All of a Read Request. */
    @Benchmark
    @Against("store46")
    public void readRequest() {
        DdpHeader.emitUntagged(segment, 0, true, Opcode.READ_REQUEST, 0, (int) to++, 0);
        ReadRequestView.emit(segment, UNTAGGED_BYTES, STAG, to, 64, STAG, to);
    }

    /** As many bytes as a Read Request. */
    @Benchmark
    public void store46() {
        RawOctets.store(segment, READ_BYTES, to++);
    }

    /** All of an Atomic Request. */
    @Benchmark
    @Against("store70")
    public void atomicRequest() {
        DdpHeader.emitUntagged(segment, 0, true, Opcode.ATOMIC_REQUEST, 0, (int) to++, 0);
        AtomicRequestView.emitFetchAdd(segment, UNTAGGED_BYTES, (int) to, STAG, to, 1, 0);
    }

    /** As many bytes as an Atomic Request. */
    @Benchmark
    public void store70() {
        RawOctets.store(segment, ATOMIC_BYTES, to++);
    }

    /** The length, header and pad of the FPDU of an RDMA Write whose payload needs three bytes of pad. */
    @Benchmark
    @Against("store16")
    public int fpdu() {
        int ulpduLength = TAGGED_BYTES + PAYLOAD;
        Fpdu.emitLength(segment, 0, ulpduLength);
        DdpHeader.emitTagged(segment, Fpdu.LENGTH_BYTES, true, Opcode.RDMA_WRITE, STAG, to++);
        return Fpdu.emitPad(segment, Fpdu.LENGTH_BYTES + (long) ulpduLength, ulpduLength);
    }

    /** As many bytes as the length and a tagged header. */
    @Benchmark
    public void store16() {
        RawOctets.store(segment, FPDU_BYTES, to++);
    }
}
