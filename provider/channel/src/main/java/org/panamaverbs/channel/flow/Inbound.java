package org.panamaverbs.channel.flow;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What arrives at one end: chunks of frames in receives or in a ring, of which messages are taken in order and released
 * in any order. The peer hears of the position up to which everything is released, and never of more.
 *
 * <p>Inputs: {@link #arrived(int, int)} or {@link #arrived(long)}, {@link #receiveTaken}, {@link #release}. Outputs:
 * {@link #next} and, after a message, {@link #take}; {@link #receivesDue} with {@link #nextReceive};
 * {@link #creditDue}, then {@link #reported}. One thread. Nothing that a peer writes makes it throw, loop, or read
 * outside of its memory.
 */
public final class Inbound {
    /** No whole message is there, or none may be taken before another is released. */
    public static final int NONE = 0;
    /** There is a message. */
    public static final int MESSAGE = 1;
    /** The peer's last frame is taken. */
    public static final int END = 2;
    /** The peer broke the protocol: {@link #violation}. */
    public static final int VIOLATION = 3;

    private static final int RING = -1;

    private final MemorySegment memory;
    private final @Nullable MemorySegment ring;
    private final Limits limits;
    private final boolean slots;
    private final int mask;
    private final int maxMessage;

    /** The position of the next frame, up to which everything is taken. */
    private long position;
    /** The position up to which the ring is filled. */
    private long tail;

    // The frames under way: where the next begins, where the last ends, and of which receive they are.
    private int cursor;
    private int end;
    private int slot = RING;

    // Receives that hold frames, in the order of arrival.
    private final int[] chunkSlots;
    private final int[] chunkBytes;
    private int chunksIn;
    private int chunksOut;

    /** Unreleased messages of each receive, and 1 for the chunk that is being taken. */
    private final int[] pins;

    /** Receives that are free and not posted again yet. */
    private final int[] free;

    private int freeCount;

    // Kept messages in the order of the stream.
    private final long[] keptStart;
    private final long[] keptEnd;
    private final int[] keptSlot;
    private final boolean[] keptReleased;
    private int keptIn;
    private int keptOut;
    /** How many of them are not released. */
    private int kept;

    private long reposted;
    private long reportedReposted;
    private long reportedReleased;

    /** Whether nothing more is taken: behind the peer's end, or a violation. */
    private boolean over;

    private long messageOffset;
    private int messageLength;
    private int messageSpan;
    private boolean messageLarge;
    private String violation = "";

    /**
     * Creates an inbound stream at position 0.
     *
     * @param memory the ring, or the receives one after the other, aligned to 8
     * @param slots whether the peer sends into receives
     * @param maxMessage bytes of a message at most
     * @param ring where the peer writes what fits no receive; null if there are no such messages
     */
    public Inbound(MemorySegment memory, Limits limits, boolean slots, int maxMessage, @Nullable MemorySegment ring) {
        this.memory = memory;
        this.ring = ring;
        this.limits = limits;
        this.slots = slots;
        this.mask = limits.ringBytes() - 1;
        this.maxMessage = maxMessage;
        int receives = limits.receives();
        chunkSlots = new int[receives];
        chunkBytes = new int[receives];
        pins = new int[receives];
        free = new int[receives];
        keptStart = new long[receives];
        keptEnd = new long[receives];
        keptSlot = new int[receives];
        keptReleased = new boolean[receives];
    }

    /** Takes {@code bytes} of frames that the peer has sent into receive {@code index}; false if that cannot be. */
    public boolean arrived(int index, int bytes) {
        if (bytes < Frame.HEADER_BYTES || (bytes & 7) != 0 || bytes > limits.chunkBytes()) {
            violation = "a chunk of " + bytes + " bytes";
            return false;
        }
        int at = chunksIn++ & chunkSlots.length - 1;
        chunkSlots[at] = index;
        chunkBytes[at] = bytes;
        return true;
    }

    /** Takes {@code bytes} of the stream that the peer has written into the ring; false if that cannot be. */
    public boolean arrived(long bytes) {
        int at = (int) tail & mask;
        if (bytes < Frame.HEADER_BYTES
                || (bytes & 7) != 0
                || bytes > limits.ringBytes() - at
                || tail + bytes - released() > limits.ringBytes()) {
            violation =
                    "a write of " + bytes + " bytes at position " + tail + ", of which " + released() + " are released";
            return false;
        }
        tail += bytes;
        return true;
    }

    /** Notes that receive {@code index} was taken and holds no frames: it is free at once. */
    public void receiveTaken(int index) {
        free[freeCount++] = index;
    }

    /** Returns the position behind the last message taken. */
    public long position() {
        return position;
    }

    /** Returns up to where everything is released. */
    public long released() {
        return keptOut == keptIn ? position : keptStart[keptOut & keptStart.length - 1];
    }

    /** Returns whether frames are there that were not taken; false behind an end or a violation. */
    public boolean hasFrames() {
        return !over && (slots ? cursor != end || chunksIn != chunksOut : position != tail);
    }

    /** Looks for the next message, past everything that is none, and describes it. */
    public int next() {
        if (keptIn - keptOut == keptStart.length && kept < keptStart.length) {
            forgetReleased();
        }
        while (!over && keptIn - keptOut < keptStart.length && (cursor != end || advance())) {
            long header = Frame.header(memory, cursor);
            int length = Frame.length(header);
            int kind = Frame.kind(header);
            int span = Frame.span(length);
            if (length < 0 || length > limits.ringBytes()) {
                return violated("a frame of " + length + " bytes at position " + position);
            }
            int toEnd = limits.ringBytes() - ((int) position & mask);
            if (slots && position + span - released() > limits.ringBytes()) {
                return violated(String.format(
                        "a frame of %d bytes at position %d beyond the window of %d bytes from position %d",
                        length, position, limits.ringBytes(), released()));
            }
            switch (kind) {
                case Frame.PAD -> {
                    int bytes = slots ? Frame.HEADER_BYTES : span;
                    if (span != toEnd || bytes != end - cursor) {
                        return violated("padding of " + span + " bytes at position " + position);
                    }
                    position += span;
                    cursor = end;
                    chunkEnded();
                }
                case Frame.END -> {
                    if (length != 0) {
                        return violated("an end with " + length + " bytes");
                    }
                    consume(span, span);
                    over = true;
                    return END;
                }
                case Frame.DATA, Frame.LARGE -> {
                    boolean large = kind == Frame.LARGE;
                    if (large && (ring == null || span > toEnd || end - cursor != Frame.HEADER_BYTES)) {
                        return violated(String.format(
                                "a message of %d bytes written at position %d, with %d bytes to the end of the ring,"
                                        + " and %d left of what announces it",
                                length, position, toEnd, end - cursor));
                    }
                    if (!large && span > end - cursor) {
                        return violated(String.format(
                                "a message of %d bytes at position %d, of which %d are there",
                                length, position, end - cursor));
                    }
                    if (length > maxMessage) {
                        return violated("a message of " + length + " bytes");
                    }
                    messageLarge = large;
                    messageOffset = Frame.HEADER_BYTES + (large ? position & mask : (long) cursor);
                    messageLength = length;
                    messageSpan = span;
                    return MESSAGE;
                }
                default -> {
                    return violated(String.format("a frame of kind 0x%x at position %d", kind, position));
                }
            }
        }
        return NONE;
    }

    /** Returns whether the message lies in the ring of large ones. */
    public boolean messageLarge() {
        return messageLarge;
    }

    /** Returns where the message begins. */
    public long messageOffset() {
        return messageOffset;
    }

    /** Returns its length in bytes. */
    public int messageLength() {
        return messageLength;
    }

    /** Returns the position behind it, which names it in {@link #release}. */
    public long messageEnd() {
        return position + messageSpan;
    }

    /** Takes the message; {@code keep} holds its memory until {@link #release}. */
    public void take(boolean keep) {
        if (keep) {
            kept++;
            int at = keptIn++ & keptStart.length - 1;
            keptStart[at] = position;
            keptEnd[at] = position + messageSpan;
            // What a large message was announced in is free already.
            keptSlot[at] = messageLarge ? RING : slot;
            keptReleased[at] = false;
            if (keptSlot[at] >= 0) {
                pins[slot]++;
            }
        }
        consume(messageSpan, messageLarge ? Frame.HEADER_BYTES : messageSpan);
    }

    /** Releases the kept message that ends at {@code messageEnd}; false if there is none. */
    public boolean release(long messageEnd) {
        int low = keptOut;
        int high = keptIn;
        while (low - high < 0) {
            int middle = low + ((high - low) >>> 1);
            if (keptEnd[middle & keptEnd.length - 1] < messageEnd) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int at = low & keptEnd.length - 1;
        if (low == keptIn || keptEnd[at] != messageEnd || keptReleased[at]) {
            return false;
        }
        keptReleased[at] = true;
        kept--;
        unpin(keptSlot[at]);
        while (keptOut != keptIn && keptReleased[keptOut & keptReleased.length - 1]) {
            keptOut++;
        }
        return true;
    }

    /** Makes room for more kept messages: those released behind an older one need no entry. */
    private void forgetReleased() {
        int to = keptOut;
        for (int from = keptOut; from != keptIn; from++) {
            int its = from & keptStart.length - 1;
            if (!keptReleased[its]) {
                int at = to++ & keptStart.length - 1;
                keptStart[at] = keptStart[its];
                keptEnd[at] = keptEnd[its];
                keptSlot[at] = keptSlot[its];
                keptReleased[at] = false;
            }
        }
        keptIn = to;
    }

    private void consume(int span, int wire) {
        position += span;
        cursor += wire;
        if (cursor == end) {
            chunkEnded();
        }
    }

    private void chunkEnded() {
        int its = slot;
        slot = RING;
        unpin(its);
    }

    private void unpin(int its) {
        if (its >= 0 && --pins[its] == 0) {
            free[freeCount++] = its;
        }
    }

    private boolean advance() {
        if (slots) {
            if (chunksIn == chunksOut) {
                return false;
            }
            int at = chunksOut++ & chunkSlots.length - 1;
            slot = chunkSlots[at];
            pins[slot] = 1;
            cursor = slot * limits.chunkBytes();
            end = cursor + chunkBytes[at];
            return true;
        }
        cursor = (int) position & mask;
        end = (int) Math.min(limits.ringBytes(), cursor + (tail - position));
        return cursor != end;
    }

    private int violated(String what) {
        violation = what;
        over = true;
        return VIOLATION;
    }

    /** Notes what the peer did that no peer may; returns false. */
    public boolean refuse(String what) {
        violation = what;
        return false;
    }

    /** Returns what the peer did that no peer may. */
    public String violation() {
        return violation;
    }

    /** Returns how many receives to post again now, 0 if few are free. */
    public int receivesDue() {
        return freeCount >= limits.repostReceives() || over ? freeCount : 0;
    }

    /** Returns a free receive, which is to be posted. */
    public int nextReceive() {
        reposted++;
        return free[--freeCount];
    }

    /** Returns whether the peer is to hear of what was released and posted: behind its end of every release. */
    public boolean creditDue() {
        return (over && released() != reportedReleased)
                || reposted - reportedReposted >= limits.reportReceives()
                || released() - reportedReleased >= limits.reportBytes();
    }

    /** Returns up to where the peer has heard that everything is released. */
    public long reportedReleased() {
        return reportedReleased;
    }

    /** Returns how many receives were posted again. */
    public long reposted() {
        return reposted;
    }

    /** Notes that a credit with {@link #released} and {@link #reposted} was posted. */
    public void reported() {
        reportedReposted = reposted;
        reportedReleased = released();
    }
}
