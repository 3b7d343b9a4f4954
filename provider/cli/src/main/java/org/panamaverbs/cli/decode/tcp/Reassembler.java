package org.panamaverbs.cli.decode.tcp;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.capture.Packet;

/**
 * Puts the segments of one direction in order. Positions count octets from the first one; sequence numbers are taken
 * relative to the position reached, so that their wrap is no case of its own. Of octets that came twice, as in a
 * retransmission, those count that came to their place first.
 *
 * <p>Octets that never come are given up when the receiver acknowledged them and {@value #PATIENCE_SEGMENTS} more
 * segments of the connection went by, when too much waits behind them, or at the end of the capture.
 */
public final class Reassembler {
    /** Segments of the connection to wait for acknowledged octets: captures may be out of order themselves. */
    static final int PATIENCE_SEGMENTS = 32;

    private static final int MAX_WAITING_BYTES = 4 << 20;
    private static final int MAX_WAITING_SEGMENTS = 8192;
    private static final int SEGMENT_OVERHEAD_BYTES = 128;
    // RFC 7323 §2.3: no receive window is larger than a gibibyte.
    private static final long MAX_WINDOW_BYTES = 1L << 30;

    // More than what a connection has under way; of two connections' numbers, one pair in 500 is as near by chance.
    private static final long NEAR_BYTES = 4 << 20;

    private static final long NO_END = -1;

    private record Waiting(TcpSegment.Arrival arrival, TcpSegment.Payload payload) {}

    private final StreamSink sink;
    private final Budget budget;
    private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
    private long waitingBytes;
    private boolean started;
    private long position;
    private int sequenceAtPosition;
    private long acknowledged;
    private long end = NO_END;
    // What the FIN came in, until it is told.
    private TcpSegment.@Nullable Arrival closing;
    private boolean reset;
    private int patience;
    private TcpSegment.Arrival last = new TcpSegment.Arrival(0, Packet.NO_TIME, Link.NONE);

    /** Gives octets to {@code sink} and takes memory from {@code budget}. */
    public Reassembler(StreamSink sink, Budget budget) {
        this.sink = sink;
        this.budget = budget;
    }

    /** Returns whether octets of this direction are known, so that others can be compared with them. */
    public boolean isStarted() {
        return started;
    }

    /** Returns whether a SYN with this sequence number opens another connection than the one that is known. */
    public boolean isOther(int sequence) {
        return started && position + relative(sequence + 1) != 0;
    }

    /** Returns whether this sequence number is as near to what is known as those of one connection are. */
    public boolean isNear(int sequence) {
        return Math.abs((long) relative(sequence)) <= NEAR_BYTES;
    }

    /** Takes a segment of this direction. */
    public void segment(TcpSegment segment) {
        if (segment.rst() && !reset) {
            reset = true;
            sink.reset(segment.arrival().frame(), segment.arrival().timeNanos());
        }
        int first = segment.sequence() + (segment.syn() ? 1 : 0);
        if (!started) {
            if (!segment.syn() && segment.payload().wireLength() == 0) {
                return;
            }
            started = true;
            sequenceAtPosition = first;
            sink.begins(segment.syn());
        }
        last = segment.arrival();
        long at = position + relative(first);
        if (segment.payload().wireLength() > 0 && at - position <= MAX_WINDOW_BYTES) {
            if (at <= position) {
                deliver(at, segment);
            } else {
                hold(at, segment);
            }
        }
        if (segment.fin()) {
            closing = end == NO_END ? segment.arrival() : closing;
            end = Math.max(end, at + segment.payload().wireLength());
        }
        impatience(segment);
        tellClosed();
    }

    private void tellClosed() {
        TcpSegment.Arrival arrival = closing;
        if (arrival != null && complete()) {
            closing = null;
            sink.closed(arrival.frame(), arrival.timeNanos());
        }
    }

    /** True when the direction was closed and all of it was handed out. */
    public boolean complete() {
        return end != NO_END && position >= end;
    }

    /** Takes note of an acknowledgment of the other direction. */
    public void acknowledged(TcpSegment segment) {
        if (started && segment.ack()) {
            acknowledged = Math.max(acknowledged, position + relative(segment.acknowledgment()));
            sink.lags(acknowledged > position);
            impatience(segment);
            tellClosed();
        }
    }

    /** Gives up what is missing and hands out all that waits: nothing more will come. */
    public void finish() {
        while (!waiting.isEmpty()) {
            giveUp(Gap.NOT_CAPTURED);
        }
        // A FIN is acknowledged like an octet, so one more than what was sent is nothing that is missing.
        long sent = Math.max(end, acknowledged - (end == NO_END ? 0 : 1));
        if (started && sent > position && sent - position <= MAX_WINDOW_BYTES) {
            skipTo(sent, last, Gap.NOT_CAPTURED);
        }
        tellClosed();
    }

    /** Forgets what waits: nobody wants it. */
    public void abandon() {
        waiting.clear();
        budget.give(waitingBytes);
        waitingBytes = 0;
    }

    private int relative(int sequence) {
        return sequence - sequenceAtPosition;
    }

    private void deliver(long at, TcpSegment segment) {
        deliver(at, segment.payload(), segment.arrival());
        drain();
    }

    private void deliver(long at, TcpSegment.Payload payload, TcpSegment.Arrival arrival) {
        long known = position - at;
        if (known >= payload.wireLength()) {
            return;
        }
        int skip = (int) Math.min(known, payload.length());
        int fresh = payload.length() - skip;
        advance(fresh);
        if (fresh > 0) {
            sink.octets(payload.octets(), payload.offset() + skip, fresh, arrival.frame(), arrival.timeNanos());
        }
        long cut = at + payload.wireLength() - position;
        if (cut > 0) {
            advance(cut);
            sink.missing(cut, arrival.frame(), arrival.timeNanos(), Gap.CUT_OFF);
        }
    }

    private void advance(long octets) {
        position += octets;
        sequenceAtPosition += (int) octets;
        sink.lags(acknowledged > position);
    }

    private void drain() {
        Map.Entry<Long, Waiting> first = waiting.firstEntry();
        while (first != null && first.getKey() <= position) {
            waiting.pollFirstEntry();
            release(first.getValue());
            Waiting next = first.getValue();
            deliver(first.getKey(), next.payload(), next.arrival());
            first = waiting.firstEntry();
        }
        patience = 0;
    }

    private void hold(long at, TcpSegment segment) {
        Waiting known = waiting.get(at);
        if (known != null && known.payload().wireLength() >= segment.payload().wireLength()) {
            return;
        }
        long bytes = (long) segment.payload().length() + SEGMENT_OVERHEAD_BYTES;
        while (!waiting.isEmpty()
                && (waitingBytes + bytes > MAX_WAITING_BYTES || waiting.size() == MAX_WAITING_SEGMENTS)) {
            giveUp(Gap.TOO_MUCH_BEHIND);
            if (at <= position) {
                deliver(at, segment);
                return;
            }
        }
        if (!budget.take(bytes)) {
            while (!waiting.isEmpty()) {
                giveUp(Gap.NO_MEMORY);
            }
            if (at > position) {
                skipTo(at, segment.arrival(), Gap.NO_MEMORY);
            }
            deliver(at, segment);
            return;
        }
        waitingBytes += bytes;
        @Nullable
        Waiting replaced =
                waiting.put(at, new Waiting(segment.arrival(), segment.payload().copy()));
        if (replaced != null) {
            release(replaced);
        }
    }

    private void release(Waiting gone) {
        int bytes = gone.payload().length() + SEGMENT_OVERHEAD_BYTES;
        waitingBytes -= bytes;
        budget.give(bytes);
    }

    private void impatience(TcpSegment segment) {
        Map.Entry<Long, Waiting> first = waiting.firstEntry();
        if (first == null || acknowledged < first.getKey()) {
            return;
        }
        patience++;
        if (patience > PATIENCE_SEGMENTS) {
            skipTo(first.getKey(), segment.arrival(), Gap.ACKNOWLEDGED);
            drain();
        }
    }

    private void giveUp(Gap gap) {
        Map.Entry<Long, Waiting> first = waiting.firstEntry();
        if (first != null) {
            skipTo(first.getKey(), last, gap);
            drain();
        }
    }

    private void skipTo(long target, TcpSegment.Arrival arrival, Gap gap) {
        long count = target - position;
        advance(count);
        sink.missing(count, arrival.frame(), arrival.timeNanos(), gap);
    }
}
