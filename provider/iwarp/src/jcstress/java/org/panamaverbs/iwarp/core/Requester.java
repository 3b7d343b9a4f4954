package org.panamaverbs.iwarp.core;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.memory.AtomicTarget;

/** One stream as responder, and the peer that sends it requests; belongs to one thread. */
final class Requester {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final ThreadLocal<Requester> OF_THREAD = ThreadLocal.withInitial(Requester::new);
    private static final ValueLayout.OfLong U64 = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int HEADER = Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES;
    private static final int REQUEST = DdpHeader.UNTAGGED_BYTES + AtomicRequestView.BYTES;
    private static final int RESPONSE = Fpdu.size(DdpHeader.UNTAGGED_BYTES + AtomicResponseView.BYTES);
    private static final int EMSS = 1460;
    private static final int DEPTH = 16;

    private final Staging staging = new Staging(Staging.BYTES);
    private final Stream stream;
    private final MemorySegment fpdu = Arena.ofAuto().allocate(Fpdu.size(REQUEST), Long.BYTES);
    private final ByteBuffer octets = fpdu.asByteBuffer();
    private final MemorySegment response = MemorySegment.ofArray(new byte[RESPONSE]);
    private final ByteBuffer responseOctets = response.asByteBuffer();
    private int msn = 1;

    private Requester() {
        StreamConfig config = StreamConfig.builder()
                .qpNumber(NUMBERS.incrementAndGet())
                .domainId(Cells.DOMAIN)
                .maxSendWr(DEPTH)
                .build();
        ReceiveRing receives = new ReceiveRing(DEPTH, 1);
        CompletionSink none = (wrId, status, opcode, number, bytes, flags, more, vendor) -> 0;
        stream = new Stream(
                config,
                Cells.STAGS,
                new BufferPool(16),
                StreamQueues.withOwn(none, none, receives),
                (event, fault) -> {});
        stream.start(Negotiated.builder(false).depths(DEPTH).emss(EMSS).build(), 0);
    }

    /** Returns the one of this thread. */
    static Requester ofThread() {
        return OF_THREAD.get();
    }

    /** Has the stream carry out a FetchAdd; returns what it answers. */
    long fetchAdd(AtomicTarget cell, long add, long mask) {
        AtomicRequestView.emitFetchAdd(fpdu, HEADER, msn, Cells.stag(), Cells.taggedOffset(cell), add, mask);
        return carryOut();
    }

    /** Has the stream carry out a CmpSwap; returns what it answers. */
    long cmpSwap(AtomicTarget cell, long compare, long compareMask, long swap, long swapMask) {
        AtomicRequestView.emitCompareSwap(
                fpdu, HEADER, msn, Cells.stag(), Cells.taggedOffset(cell), swap, swapMask, compare, compareMask);
        return carryOut();
    }

    private long carryOut() {
        Fpdu.emitLength(fpdu, 0, REQUEST);
        DdpHeader.emitUntagged(fpdu, Fpdu.LENGTH_BYTES, true, Opcode.ATOMIC_REQUEST, 0, msn, 0);
        msn++;
        octets.clear();
        while (octets.hasRemaining()) {
            ByteBuffer into = stream.receiveInto(staging).buffer(0);
            int run = Math.min(into.remaining(), octets.remaining());
            into.put(octets.slice(octets.position(), run));
            octets.position(octets.position() + run);
            stream.received(run, 0);
        }
        responseOctets.clear();
        IoVector out = stream.transmit(0);
        for (int i = out.first(); i < out.end(); i++) {
            responseOctets.put(out.buffer(i));
        }
        stream.sent(responseOctets.position(), 0);
        if (responseOctets.hasRemaining()) {
            throw new IllegalStateException("no answer: " + stream.state() + ", " + stream.terminateCause());
        }
        return response.get(U64, RESPONSE - Fpdu.CRC_BYTES - Long.BYTES);
    }
}
