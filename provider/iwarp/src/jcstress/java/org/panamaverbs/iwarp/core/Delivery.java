package org.panamaverbs.iwarp.core;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.memory.AtomicTarget;

/** One stream that a peer sends messages of eight octets to, and where they land; belongs to one thread. */
public final class Delivery {
    private static final ThreadLocal<Delivery> OF_THREAD = ThreadLocal.withInitial(Delivery::new);
    private static final int NUMBER = 1;
    private static final int DEPTH = 4;
    private static final int EMSS = 1460;
    private static final int SEND = DdpHeader.UNTAGGED_BYTES + Long.BYTES;

    /** Where one message lands. */
    public static final class Place {
        private final AtomicTarget cell = Cells.take(0);
        private final MemorySegment memory = cell.buffer().segment();

        /** Creates a place that holds 0. */
        public Place() {}

        /** Reads the value as a program does that knows nothing of other threads. */
        public long read() {
            return memory.get(JAVA_LONG, cell.offset());
        }
    }

    private final Staging staging = new Staging(Staging.BYTES);
    private final Stream stream;
    private final MemorySegment fpdu = Arena.ofAuto().allocate(Fpdu.size(SEND), Long.BYTES);
    private final ByteBuffer octets = fpdu.asByteBuffer();
    private @Nullable CompletionSink sink;
    private int msn = 1;

    private Delivery() {
        StreamConfig config = StreamConfig.builder()
                .qpNumber(NUMBER)
                .domainId(Cells.DOMAIN)
                .maxSendWr(DEPTH)
                .build();
        ReceiveRing receives = new ReceiveRing(DEPTH, 1);
        stream = new Stream(
                config,
                Cells.STAGS,
                new BufferPool(16),
                StreamQueues.withOwn(this::complete, this::complete, receives),
                (e, f) -> {});
        stream.start(Negotiated.builder(false).depths(DEPTH).emss(EMSS).build(), 0);
    }

    private long complete(
            long id, WcStatus status, WcOpcode opcode, int number, long bytes, int flags, long more, int vendor) {
        CompletionSink to = sink;
        return to == null ? CompletionSink.LOST : to.complete(id, status, opcode, number, bytes, flags, more, vendor);
    }

    /** Returns the one of this thread. */
    public static Delivery ofThread() {
        return OF_THREAD.get();
    }

    /** Has a message arrive that lands in {@code place} and completes in {@code queue}. */
    public void send(Place place, long value, CompletionSink queue) {
        sink = queue;
        stream.receives().post(1, Cells.taggedOffset(place.cell), Long.BYTES, Cells.stag());
        Fpdu.emitLength(fpdu, 0, SEND);
        DdpHeader.emitUntagged(fpdu, Fpdu.LENGTH_BYTES, true, Opcode.SEND, 0, msn++, 0);
        fpdu.set(JAVA_LONG_UNALIGNED, Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES, value);
        octets.clear();
        while (octets.hasRemaining()) {
            ByteBuffer into = stream.receiveInto(staging).buffer(0);
            int run = Math.min(into.remaining(), octets.remaining());
            into.put(octets.slice(octets.position(), run));
            octets.position(octets.position() + run);
            stream.received(run, 0);
        }
        if (stream.state() != StreamState.ESTABLISHED) {
            throw new IllegalStateException(stream.state() + ", " + stream.terminateCause());
        }
    }
}
