package org.panamaverbs.channel.flow;

import java.lang.foreign.MemorySegment;

/**
 * What one end publishes. Frames are written into a ring of this side's memory; chunks of whole frames are posted from
 * it; a part of the ring is free once its post has completed and the peer has released it. What fits no receive of the
 * peer is written into a ring there, at the same offset as here, in front of the chunk that ends with its header.
 *
 * <p>Inputs: {@link #claim}, then {@link #commit} or nothing; {@link #completed} and {@link #credit}. Outputs:
 * {@link #nextChunk} with its numbers, then {@link #chunkPosted}; {@link #mayPostCredit} or {@link #mayPostBeat}, then
 * {@link #creditPosted}. One thread.
 */
public final class Outbound {
    private final MemorySegment ring;
    private final Limits limits;
    private final int mask;
    private final boolean slots;
    private final int signalPosts;
    private final int signalBytes;

    /** Where the stream stood after each post that has not completed, by number of the post. */
    private final long[] ends;

    private long position;
    private long claimEnd;
    private int claimPad;

    private long postedPosition;
    private long completedPosition;
    private long releasedPosition;

    private long posts;
    private long completedPosts;
    /** How many receives of the peer were posted again. Every post takes one of the peer's. */
    private long reposted;

    /** The position of the last pad: with its ring's end, the only one that may lie behind {@link #postedPosition}. */
    private long padAt = -1;

    private int unsignaledPosts;
    private long unsignaledBytes;

    private int chunkOffset;
    private int chunkWritten;
    private int chunkWire;
    private int chunkStream;

    /**
     * Creates an outbound stream at position 0.
     *
     * @param ring memory of {@link Limits#ringBytes()}, aligned to 8
     * @param posts how many posts may be under way, a power of two from 8
     * @param slots whether chunks go into receives of {@link Limits#chunkBytes()} instead of a ring
     */
    public Outbound(MemorySegment ring, Limits limits, int posts, boolean slots) {
        this.ring = ring;
        this.limits = limits;
        this.mask = limits.ringBytes() - 1;
        this.slots = slots;
        this.ends = new long[posts];
        this.signalPosts = posts / 8;
        this.signalBytes = limits.ringBytes() / 8;
    }

    /** Returns the position behind the last committed frame. */
    public long position() {
        return position;
    }

    /** Returns up to where the peer has released everything, as far as it has reported. */
    public long released() {
        return releasedPosition;
    }

    /** Returns how many committed bytes are not posted yet. */
    public long unposted() {
        return position - postedPosition;
    }

    /** Returns the number of the next post, and with that its id. */
    public long posts() {
        return posts;
    }

    /** Returns whether {@code bytes} more fit into the window. */
    public boolean fits(long bytes) {
        return position + bytes - Math.min(completedPosition, releasedPosition) <= limits.ringBytes();
    }

    /** Returns where in the ring a payload of {@code length} bytes may be written, or -1 if there is no room now. */
    public int claim(int length) {
        int span = Frame.span(length);
        int at = (int) position & mask;
        int pad = span <= limits.ringBytes() - at ? 0 : limits.ringBytes() - at;
        if (!fits(pad + span)) {
            return -1;
        }
        claimPad = pad;
        claimEnd = position + pad + span;
        return (at + pad & mask) + Frame.HEADER_BYTES;
    }

    /** Returns the position that a commit of the claim would have. */
    public long claimEnd() {
        return claimEnd;
    }

    /** Makes the claimed frame part of the stream, with {@code length} and {@code kind}; returns its position. */
    public long commit(int length, int kind) {
        boolean large = slots && Frame.span(length) > limits.chunkBytes();
        if (claimPad > 0) {
            padAt = position;
            Frame.put(ring, (int) position & mask, claimPad - Frame.HEADER_BYTES, Frame.PAD);
        }
        Frame.put(ring, (int) (position + claimPad) & mask, length, large ? Frame.LARGE : kind);
        position = claimEnd;
        return position;
    }

    /** Returns whether there is a chunk to post now, which the numbers of the chunk then describe. */
    public boolean nextChunk() {
        if (postedPosition == position
                || posts - reposted >= limits.receives() - limits.reserve()
                || posts - completedPosts >= ends.length) {
            return false;
        }
        chunkOffset = (int) postedPosition & mask;
        if (slots) {
            gather();
        } else {
            chunkStream = (int) Math.min(position - postedPosition, limits.ringBytes() - chunkOffset);
            chunkWire = padAt >= postedPosition ? (int) (padAt - postedPosition) + Frame.HEADER_BYTES : chunkStream;
        }
        return true;
    }

    /** Takes whole frames as long as they fit into a receive, up to the end of the ring or a header without payload. */
    private void gather() {
        chunkWritten = 0;
        int wire = 0;
        int stream = 0;
        int most = (int) Math.min(position - postedPosition, limits.ringBytes() - chunkOffset);
        while (stream < most && chunkWritten == 0) {
            long header = Frame.header(ring, chunkOffset + stream);
            int length = Frame.length(header);
            int kind = Frame.kind(header);
            int span = Frame.span(length);
            int bytes = kind == Frame.PAD || kind == Frame.LARGE ? Frame.HEADER_BYTES : span;
            if (wire + bytes > limits.chunkBytes()) {
                break;
            }
            wire += bytes;
            stream += span;
            chunkWritten = kind == Frame.LARGE ? length : 0;
        }
        chunkWire = wire;
        chunkStream = stream;
    }

    /** Returns where the chunk begins, in this side's ring and in the peer's. */
    public int chunkOffset() {
        return chunkOffset;
    }

    /** Returns how many bytes behind the chunk are to be written first: the payload of its last header, 0 for none. */
    public int chunkWritten() {
        return chunkWritten;
    }

    /** Returns how many bytes are to be posted. */
    public int chunkWire() {
        return chunkWire;
    }

    /** Returns how many bytes of the stream they are: more than the former by a pad, or by what is written. */
    public int chunkStream() {
        return chunkStream;
    }

    /** Returns whether the next post has to be signaled, with {@code bytes} of the stream. */
    public boolean signals(int bytes) {
        return unsignaledPosts + 1 >= signalPosts || unsignaledBytes + bytes >= signalBytes;
    }

    /** Notes that the chunk was posted. */
    public void chunkPosted() {
        postedPosition += chunkStream;
        posted(chunkStream);
    }

    /** Returns whether the peer has a receive for a credit, and the queue pair room. */
    public boolean mayPostCredit() {
        return posts - reposted < limits.receives() && posts - completedPosts < ends.length;
    }

    /** Returns whether the peer has a receive for a credit that is not due: enough for those that are stay free. */
    public boolean mayPostBeat() {
        return posts - reposted < limits.receives() - limits.reserve() / 2 && mayPostCredit();
    }

    /** Notes that a credit was posted. */
    public void creditPosted() {
        posted(0);
    }

    private void posted(int bytes) {
        boolean signaled = signals(bytes);
        unsignaledPosts = signaled ? 0 : unsignaledPosts + 1;
        unsignaledBytes = signaled ? 0 : unsignaledBytes + bytes;
        ends[(int) posts & ends.length - 1] = postedPosition;
        posts++;
    }

    /** Notes that all posts up to number {@code post} have completed. */
    public void completed(long post) {
        completedPosition = ends[(int) post & ends.length - 1];
        completedPosts = post + 1;
    }

    /** Takes a credit of the peer; returns false if it claims what cannot be, as a release of a part of a frame. */
    public boolean credit(long released, long receives) {
        if (released < releasedPosition
                || released > postedPosition
                || receives < reposted
                || receives > posts
                || !endsFrame(released)) {
            return false;
        }
        releasedPosition = released;
        reposted = receives;
        return true;
    }

    /**
     * Returns whether {@code to} is where a frame ends. Where a post ends, one does; from there on, the headers tell,
     * which are intact in the ring as long as they are not released.
     */
    private boolean endsFrame(long to) {
        long first = Math.max(0, posts - ends.length);
        long low = first;
        long high = posts;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (ends[(int) middle & (ends.length - 1)] <= to) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long at =
                low == first ? releasedPosition : Math.max(releasedPosition, ends[(int) (low - 1) & (ends.length - 1)]);
        while (at < to) {
            at += Frame.span(Frame.length(Frame.header(ring, at & mask)));
        }
        return at == to;
    }
}
