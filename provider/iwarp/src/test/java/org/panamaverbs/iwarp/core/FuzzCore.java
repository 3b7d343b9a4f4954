package org.panamaverbs.iwarp.core;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.wire.Allocation;

/**
 * A stream that is driven step by step and watched: after every call the state only moved forward, the first fault
 * stayed, nothing was placed after the stream broke, and no more was allocated or buffered than the caps allow.
 *
 * <p>Within a step octets are received in pieces of the splitter's size, and only then is anything sent, so that what
 * comes of a step may not depend on the splitter.
 */
final class FuzzCore {
    // A batch, and one FPDU of each direction on top of it.
    private static final long MOST_BUFFERED_BYTES = 512 * 1024 + 2 * 65_600;
    private static final Staging STAGING = new Staging(Staging.BYTES);
    private static final int MOST_CALLS = 200_000;

    final FuzzZoo zoo;
    final Negotiated negotiated;
    final Stream stream;
    final Wc.Queue sends = new Wc.Queue();
    final Wc.Queue receives = new Wc.Queue();
    final ReceiveRing ring = new ReceiveRing(32, 4);
    final List<StreamEvent> events = new ArrayList<>();
    final List<Segments.Parsed> answers = new ArrayList<>();
    long now = 1_000;
    boolean held;
    boolean finished;
    boolean closed;
    boolean aborted;

    private final Splitter splitter;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final Wiretap tap;
    private final StringBuilder states = new StringBuilder();
    private StreamState state = StreamState.IDLE;
    private @Nullable Fault fault;
    private byte @Nullable [] whenItBroke;
    private long moved;
    private long allocated;
    private long mostAllocated;
    private boolean outputShut;

    FuzzCore(FuzzZoo zoo, Negotiated negotiated, boolean signalAll, Splitter splitter) {
        this.zoo = zoo;
        this.negotiated = negotiated;
        this.splitter = splitter;
        tap = new Wiretap(negotiated.crc(), negotiated.markersOut());
        StreamConfig config = StreamConfig.builder()
                .qpNumber(FuzzZoo.QP)
                .domainId(Side.DOMAIN)
                .maxSendWr(32)
                .maxSendSge(4)
                .maxRecvSge(4)
                .maxInlineBytes(128)
                .signalAll(signalAll)
                .lingerNanos(Side.LINGER_NANOS)
                .probe(true)
                .prediction(zoo.prediction)
                .build();
        stream = new Stream(
                config,
                zoo.stags,
                new BufferPool(16),
                StreamQueues.withOwn(sends, receives, ring),
                (event, why) -> events.add(event));
    }

    /** Starts the stream. */
    void start() {
        call(() -> stream.start(negotiated, now));
        flush();
    }

    /** Makes a call to the stream and looks at what it did. */
    void call(Runnable command) {
        long before = Allocation.allocatedBytes();
        command.run();
        allocated += Allocation.allocatedBytes() - before;
        watch();
    }

    private void watch() {
        StreamState after = stream.state();
        if (after != state) {
            if (rank(after) <= rank(state)) {
                throw new AssertionError("went back from " + state + " to " + after);
            }
            state = after;
            states.append(after).append(' ');
        }
        if (fault != null && !fault.equals(stream.fault())) {
            throw new AssertionError("the first fault was " + fault + ", now it is " + stream.fault());
        }
        fault = stream.fault();
        if (fault != null && whenItBroke == null) {
            whenItBroke = FuzzZoo.snapshot();
        }
    }

    private static int rank(StreamState state) {
        return switch (state) {
            case IDLE -> 0;
            case ESTABLISHED -> 1;
            case DRAINING -> 2;
            case CLOSING, TERMINATING -> 3;
            case LINGERING -> 4;
            case CLOSED -> 5;
        };
    }

    /** The peer's octets arrive. */
    void inject(byte... octets) {
        // The response that a draining stream waits for lets it close its half; whether a fault behind it still finds
        // the half open is a matter of time, not of the octets.
        Splitter cut = stream.state() == StreamState.DRAINING ? Splitter.WHOLE : splitter;
        int from = 0;
        for (int calls = 0; from < octets.length && !closed && !finished; calls++) {
            IoVector into = stream.receiveInto(STAGING);
            if (into.isEmpty()) {
                call(() -> stream.received(0, now));
                return;
            }
            int room = 0;
            for (int i = into.first(); i < into.end(); i++) {
                room += into.buffer(i).remaining();
            }
            if (room == 0 || room > Staging.BYTES + Staging.BEHIND_BYTES || calls > MOST_CALLS) {
                throw new AssertionError(room + " octets are wanted in call " + calls);
            }
            int count = (int) Math.min(Math.min(room, octets.length - from), cut.next(moved));
            int end = from + count;
            for (int i = into.first(); i < into.end() && from < end; i++) {
                int run = Math.min(into.buffer(i).remaining(), end - from);
                into.buffer(i).put(octets, from, run);
                from += run;
            }
            moved += count;
            call(() -> stream.received(count, now));
        }
    }

    /** The peer's FIN arrives. */
    void fin() {
        if (!finished && !closed) {
            finished = true;
            call(() -> stream.endOfStream(now));
        }
    }

    /** Sends all there is to send, unless the peer takes nothing, and does with the socket what is due. */
    void flush() {
        for (int calls = 0; !closed; calls++) {
            long taken = take(transmit());
            call(() -> stream.sent(taken, now));
            boolean progress = close() || taken > 0;
            if (!progress) {
                break;
            }
            if (calls > MOST_CALLS) {
                throw new AssertionError("sends without end");
            }
        }
        answers.addAll(tap.take(output.toByteArray()));
        moveOutput();
    }

    private IoVector transmit() {
        IoVector[] result = new IoVector[1];
        call(() -> result[0] = stream.transmit(now));
        return result[0];
    }

    private final ByteArrayOutputStream wire = new ByteArrayOutputStream();

    private void moveOutput() {
        wire.writeBytes(output.toByteArray());
        output.reset();
    }

    private long take(IoVector from) {
        long offered = 0;
        for (int i = from.first(); i < from.end(); i++) {
            offered += from.buffer(i).remaining();
        }
        if (offered > MOST_BUFFERED_BYTES) {
            throw new AssertionError(offered + " octets are buffered");
        }
        if (outputShut && offered > 0) {
            throw new AssertionError(offered + " octets behind the FIN");
        }
        if (held) {
            return 0;
        }
        long room = splitter.next(moved);
        long taken = 0;
        for (int i = from.first(); i < from.end() && taken < room; i++) {
            byte[] piece = new byte[(int) Math.min(from.buffer(i).remaining(), room - taken)];
            from.buffer(i).get(piece);
            output.writeBytes(piece);
            taken += piece.length;
        }
        moved += taken;
        return taken;
    }

    private boolean close() {
        switch (stream.closeAction()) {
            case NONE -> {
                return false;
            }
            case SHUTDOWN_OUTPUT -> {
                outputShut = true;
                call(() -> stream.outputShutDown(0, now));
            }
            case CLOSE -> {
                closed = true;
                call(() -> stream.closed());
            }
            case ABORT -> {
                closed = true;
                aborted = true;
                call(() -> stream.closed());
            }
        }
        return true;
    }

    /** Lets the next deadline pass. */
    void elapse() {
        if (stream.hasDeadline()) {
            now = Math.max(now, stream.deadlineNanos());
            call(() -> stream.timeout(now));
        }
    }

    /** Ends a step: memory is as it may be. */
    void endStep(String step) {
        if (!closed) {
            flush();
        }
        byte[] broke = whenItBroke;
        if (broke != null && !FuzzZoo.isAsAt(broke)) {
            throw new AssertionError(step + " changed memory after the stream broke: " + fault);
        }
        zoo.check(step);
        mostAllocated = Math.max(mostAllocated, allocated);
        allocated = 0;
    }

    /** Ends the connection if that has not happened and checks that everything posted was completed. */
    void finish(FuzzPosts posts) {
        held = false;
        for (int i = 0; i < 8 && !closed; i++) {
            fin();
            flush();
            elapse();
            endStep("end");
        }
        if (!closed || state != StreamState.CLOSED || !stream.idle()) {
            throw new AssertionError("does not end after the peer's FIN: " + state + ", closed " + closed);
        }
        posts.checkAll();
        if (!aborted && tap.rest() > 0) {
            throw new AssertionError("ends in order, but within an FPDU");
        }
    }

    boolean isBroken() {
        return whenItBroke != null || !state.operational();
    }

    /** Whether a completion queue is full, so that completions get lost. */
    boolean overrun() {
        return sends.capacity != Integer.MAX_VALUE || receives.capacity != Integer.MAX_VALUE;
    }

    /** All that can be seen of the run; equal for all splits and all secrets. */
    String outcome() {
        return "states " + states + "\nfault " + fault + "\nevents " + events + "\nsends " + told(sends)
                + "\nreceives " + told(receives) + "\nclosed " + closed + " aborted " + aborted + "\noutput "
                + java.util.HexFormat.of().formatHex(wire.toByteArray()) + "\nmemory "
                + Arrays.hashCode(zoo.visible());
    }

    /** How many octets the stream allocated on the heap in its dearest step. */
    long mostAllocated() {
        return mostAllocated;
    }

    private static String told(Wc.Queue queue) {
        StringBuilder text = new StringBuilder();
        for (Wc wc : queue.list) {
            boolean ok = wc.status() == WcStatus.SUCCESS;
            text.append(ok ? wc.toString() : wc.brief() + " " + wc.vendorError())
                    .append(' ');
        }
        return text.toString();
    }
}
