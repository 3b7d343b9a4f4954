package org.panamaverbs.cli.decode.iwarp;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.tcp.Budget;

/** The octets of a direction that are not yet taken apart, and where in the capture they came from. */
final class StreamBuffer {
    private static final int MIN_CAPACITY = 256;
    private static final int SPAN_BYTES = 160;
    private static final int FEW_SPANS = 64;

    /** Octets from one frame; {@code missing} if they stand for octets that were not captured. */
    private record Span(long end, long frame, long timeNanos, boolean missing) {}

    private final Budget budget;
    private Deque<Span> spans = new ArrayDeque<>();
    // Spans that are paid for: as many as there were at once since the queue of them was made.
    private int paidSpans;
    // Where octets are missing: first position to end.
    private final TreeMap<Long, Long> gaps = new TreeMap<>();
    private byte[] octets = new byte[0];
    private MemorySegment segment = MemorySegment.ofArray(octets);
    private int start;
    private int size;
    private long position;

    StreamBuffer(Budget budget) {
        this.budget = budget;
    }

    /** Position in the direction of the first octet. */
    long position() {
        return position;
    }

    int size() {
        return size;
    }

    /** The octets, from {@link #base} on; for the moment. */
    MemorySegment segment() {
        return segment;
    }

    /** Where in {@link #segment} the first octet is. */
    int base() {
        return start;
    }

    /** Adds octets and says whether there was memory for them. */
    boolean append(byte[] from, int offset, int length, long frame, long timeNanos) {
        if (!reserve(length)) {
            return false;
        }
        System.arraycopy(from, offset, octets, start + size, length);
        added(length, frame, timeNanos, false);
        return true;
    }

    /** Adds zeros in place of octets that were not captured, and says whether there was memory for them. */
    boolean appendMissing(int length, long frame, long timeNanos) {
        if (!reserve(length)) {
            return false;
        }
        Arrays.fill(octets, start + size, start + size + length, (byte) 0);
        long from = position + size;
        Map.Entry<Long, Long> last = gaps.lastEntry();
        gaps.put(last != null && last.getValue() == from ? last.getKey() : from, from + length);
        added(length, frame, timeNanos, true);
        return true;
    }

    private void added(int length, long frame, long timeNanos, boolean missing) {
        size += length;
        spans.add(new Span(position + size, frame, timeNanos, missing));
    }

    private boolean reserve(int more) {
        if (spans.size() == paidSpans) {
            if (!budget.take(SPAN_BYTES)) {
                return false;
            }
            paidSpans++;
        }
        if (start + size + more <= octets.length) {
            return true;
        }
        int needed = size + more;
        if (needed <= octets.length / 2) {
            System.arraycopy(octets, start, octets, 0, size);
        } else {
            // Moving is worth it only if it frees half; else it would be done again and again.
            int capacity = Math.max(MIN_CAPACITY, Math.max(2 * octets.length, Integer.highestOneBit(needed) << 1));
            if (!budget.take(capacity - octets.length)) {
                return false;
            }
            byte[] larger = new byte[capacity];
            System.arraycopy(octets, start, larger, 0, size);
            octets = larger;
            segment = MemorySegment.ofArray(octets);
        }
        start = 0;
        return true;
    }

    void drop(int count) {
        start += count;
        size -= count;
        position += count;
        Span first = spans.peek();
        while (first != null && first.end() <= position) {
            spans.poll();
            first = spans.peek();
        }
        Map.Entry<Long, Long> gap = gaps.firstEntry();
        while (gap != null && gap.getValue() <= position) {
            gaps.pollFirstEntry();
            gap = gaps.firstEntry();
        }
        if (paidSpans > FEW_SPANS && spans.size() < paidSpans / 4) {
            giveSpansBack(); // a queue keeps the room that it once needed
        }
        if (size == 0) {
            start = 0;
            if (budget.isScarce()) {
                free();
            }
        }
    }

    /** Forgets all octets, and goes on {@code further} octets behind them. */
    void skip(long further) {
        drop(size);
        position += further;
    }

    /** Gives the memory back; the buffer is empty then. */
    void release() {
        drop(size);
        free();
    }

    private void giveSpansBack() {
        spans = new ArrayDeque<>(spans);
        budget.give((long) SPAN_BYTES * (paidSpans - spans.size()));
        paidSpans = spans.size();
    }

    private void free() {
        giveSpansBack();
        budget.give(octets.length);
        octets = new byte[0];
        segment = MemorySegment.ofArray(octets);
    }

    byte octet(int index) {
        return octets[start + index];
    }

    /** True when it begins with this many octets that are 0. */
    boolean beginsWithZeros(int count) {
        boolean zeros = size >= count;
        for (int i = 0; zeros && i < count; i++) {
            zeros = octet(i) == 0;
        }
        return zeros;
    }

    /** Copies {@code length} octets from the one at {@code index} on. */
    void copy(int index, byte[] target, int offset, int length) {
        System.arraycopy(octets, start + index, target, offset, length);
    }

    /**
     * Index of the first octet at or behind {@code index} that was not captured, or {@code end} if all before it were.
     */
    int firstMissing(int index, int end) {
        Map.Entry<Long, Long> before = gaps.floorEntry(position + index);
        if (before != null && before.getValue() > position + index) {
            return Math.min(end, index);
        }
        Long behind = gaps.higherKey(position + index);
        return behind == null ? end : (int) Math.min(end, behind - position);
    }

    /** Index of the first octet behind the run of missing ones at {@code index}. */
    int behindMissing(int index) {
        int at = index;
        for (Span span : spans) {
            if (span.end() > position + at) {
                if (!span.missing()) {
                    break;
                }
                at = (int) (span.end() - position);
            }
        }
        return at;
    }

    /** The frames that the first {@code length} octets came in. */
    List<Long> frames(int length) {
        List<Long> frames = new ArrayList<>();
        long from = position;
        for (Span span : spans) {
            if (from >= position + length && !frames.isEmpty()) {
                break;
            }
            if (!span.missing() && (frames.isEmpty() || frames.getLast() != span.frame())) {
                frames.add(span.frame());
            }
            from = span.end();
        }
        return frames;
    }

    /** When the last of the first {@code length} octets was captured, of those that have a time. */
    long timeNanos(int length) {
        Span first = spans.peek();
        if (first == null) {
            return Packet.NO_TIME;
        }
        long time = first.timeNanos();
        long from = position;
        for (Span span : spans) {
            if (from >= position + length) {
                break;
            }
            time = Math.max(time, span.timeNanos());
            from = span.end();
        }
        return time;
    }
}
