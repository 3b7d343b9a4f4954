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
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.UntaggedView;

/** What a header costs to judge and to read. */
@Question("What does it cost to judge and read a header, beside raw loads of as many bytes?")
public class HeaderDecodeBenchmark extends NanosecondsBenchmark {
    private static final int STAG = 0x00AB_CD01;
    private static final int READ_BYTES = UNTAGGED_BYTES + ReadRequestView.BYTES;
    private static final int ATOMIC_BYTES = UNTAGGED_BYTES + AtomicRequestView.BYTES;
    private static final int PAYLOAD = 64;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment write = arena.allocate(128, 8);
    private final MemorySegment send = arena.allocate(128, 8);
    private final MemorySegment read = arena.allocate(128, 8);
    private final MemorySegment atomic = arena.allocate(128, 8);
    private final TaggedView taggedView = new TaggedView();
    private final UntaggedView untaggedView = new UntaggedView();
    private final ReadRequestView readView = new ReadRequestView();
    private final AtomicRequestView atomicView = new AtomicRequestView();

    public HeaderDecodeBenchmark() {
        Fpdu.emitLength(write, 0, TAGGED_BYTES + PAYLOAD);
        DdpHeader.emitTagged(write, Fpdu.LENGTH_BYTES, true, Opcode.RDMA_WRITE, STAG, 4096);
        DdpHeader.emitUntagged(send, 0, true, Opcode.SEND, 0, 1, 0);
        DdpHeader.emitUntagged(read, 0, true, Opcode.READ_REQUEST, 0, 1, 0);
        ReadRequestView.emit(read, UNTAGGED_BYTES, STAG, 4096, 64, STAG, 4096);
        DdpHeader.emitUntagged(atomic, 0, true, Opcode.ATOMIC_REQUEST, 0, 1, 0);
        AtomicRequestView.emitFetchAdd(atomic, UNTAGGED_BYTES, 1, STAG, 4096, 1, 0);
    }

    @TearDown
    public void close() {
        arena.close();
    }

    /** The length of an FPDU and the header of the RDMA Write in it. */
    @Benchmark
    @Against("load16")
    public long tagged() {
        TaggedView view = taggedView.wrap(write, Fpdu.LENGTH_BYTES, Fpdu.ulpduLength(write, 0));
        if (view.check() != null) {
            throw new IllegalStateException("the header is good");
        }
        return view.to() + view.stag() + view.payloadLength() + (view.last() ? 1 : 0);
    }

    /** As many bytes as the length and a tagged header. */
    @Benchmark
    public long load16() {
        return RawOctets.load(write, Fpdu.LENGTH_BYTES + TAGGED_BYTES);
    }

    /** The header of a Send. */
    @Benchmark
    @Against("load18")
    public long untagged() {
        return untagged(send, PAYLOAD);
    }

    /** As many bytes as an untagged header. */
    @Benchmark
    public long load18() {
        return RawOctets.load(send, UNTAGGED_BYTES);
    }

    /** All of a Read Request. */
    @Benchmark
    @Against("load46")
    public long readRequest() {
        long fields = untagged(read, ReadRequestView.BYTES);
        ReadRequestView view = readView.wrap(read, UNTAGGED_BYTES);
        return fields + view.sinkStag() + view.sinkTo() + view.size() + view.sourceStag() + view.sourceTo();
    }

    /** As many bytes as a Read Request. */
    @Benchmark
    public long load46() {
        return RawOctets.load(read, READ_BYTES);
    }

    /** All of an Atomic Request. */
    @Benchmark
    @Against("load70")
    public long atomicRequest() {
        long fields = untagged(atomic, AtomicRequestView.BYTES);
        AtomicRequestView view = atomicView.wrap(atomic, UNTAGGED_BYTES);
        if (view.check() != null) {
            throw new IllegalStateException("the request is good");
        }
        return fields
                + view.operationCode()
                + view.requestId()
                + view.remoteStag()
                + view.remoteTo()
                + view.data()
                + view.mask()
                + view.compare()
                + view.compareMask();
    }

    /** As many bytes as an Atomic Request. */
    @Benchmark
    public long load70() {
        return RawOctets.load(atomic, ATOMIC_BYTES);
    }

    private long untagged(MemorySegment segment, int payload) {
        UntaggedView view = untaggedView.wrap(segment, 0, UNTAGGED_BYTES + payload);
        if (view.check() != null) {
            throw new IllegalStateException("the header is good");
        }
        return (long) view.invalidateStag()
                + view.qn()
                + view.msn()
                + view.mo()
                + view.payloadLength()
                + (view.last() ? 1 : 0);
    }
}
