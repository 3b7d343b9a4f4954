package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.iovec.IoVector;

/**
 * Takes bytes out of the peer's ring. What it has taken it counts by itself; the peer's words are read once a pass and
 * judged, and each byte is copied once. Belongs to the holder of the stream's lock.
 *
 * <p>Input: the peer's file. Output: bytes ({@link #read}), the peer's end, and what was published, for
 * {@link Doorbell}.
 */
final class RingReader {
    private static final int MOST_UNPUBLISHED = 64 * 1024;

    /** What {@link #read} answers behind the last byte. */
    static final int END = -1;

    private final MemorySegment own;
    private final MemorySegment peer;
    private final ByteBuffer ring;
    private final int size;
    private final int mask;
    private final int mostUnpublished;
    // Bytes taken, of these published, and put into the ring by the peer when it was last looked at.
    private long head;
    private long published;
    private long tail;
    // The octet that lies at 0, read behind the tail.
    private long origin;
    private boolean endTold;
    // How often the head has come by a half of the ring, see publish.
    private long halves;
    // Of the bytes taken, those of which it was said that all is done with them.
    private long placed;

    /** Reads the ring of the peer's file, of which nothing was taken. */
    RingReader(RingFiles files) {
        own = files.own();
        peer = files.peer();
        size = (int) (peer.byteSize() - RingLayout.HEADER_BYTES);
        mask = size - 1;
        mostUnpublished = Math.min(MOST_UNPUBLISHED, size / 4);
        ring = peer.asSlice(RingLayout.HEADER_BYTES, size).asByteBuffer();
    }

    /**
     * Takes what is there and fits into the buffers, and moves their positions on. Into memory that its owner has
     * closed nothing is taken, nor into what is behind it.
     *
     * @return the bytes, 0 if there are none, {@link #END} behind the last one
     * @throws RingResetException if the peer has reset the stream and all before that is taken
     * @throws RingCorruptException if the peer's words cannot be
     */
    long read(IoVector into) throws IOException {
        into.begin();
        // Once: what is judged is what counts.
        long now = RingLayout.tailAcquire(peer);
        if (now == head || endTold) {
            int end = RingLayout.endAcquire(peer);
            if (end == RingLayout.OPEN && !endTold) {
                return 0;
            }
            // The end is published behind the last tail.
            now = RingLayout.tailAcquire(peer);
            if (now == head || endTold) {
                return atEnd(end);
            }
        }
        if (now < tail || now - head > size) {
            throw new RingCorruptException("the peer's tail is " + now + ", expected " + tail + " to " + (head + size)
                    + ", a ring of " + size + " after what was read");
        }
        tail = now;
        origin = RingLayout.originPlain(peer);
        return take(into);
    }

    /** Returns where in the ring the next octet is, of those that {@link #look} has told of. */
    int next() {
        return (int) (head - origin) & mask;
    }

    /**
     * Returns how many octets are there behind each other, 0 if there is nothing; negative if a read is to say what
     * there is: an end, or words that cannot be.
     */
    int look() {
        // Once: what is judged is what counts.
        long now = RingLayout.tailAcquire(peer);
        if (now == head) {
            return endTold || RingLayout.endAcquire(peer) != RingLayout.OPEN ? -1 : 0;
        }
        if (endTold || now < tail || now - head > size) {
            return -1;
        }
        tail = now;
        origin = RingLayout.originPlain(peer);
        return (int) Math.min(now - head, size - next());
    }

    /** Counts {@code octets} of these as taken. */
    void take(int octets) {
        head += octets;
        publish();
    }

    private long atEnd(int end) throws IOException {
        if (end == RingLayout.RESET) {
            endTold = true;
            throw new RingResetException();
        }
        if (end != RingLayout.ENDED) {
            throw new RingCorruptException(
                    "the peer's end is " + end + ", expected " + RingLayout.ENDED + " or " + RingLayout.RESET);
        }
        if (!endTold) {
            endTold = true;
            RingLayout.publishEndSeen(own);
        }
        return END;
    }

    private long take(IoVector into) {
        long before = head;
        try {
            int end = into.end();
            int i = into.first();
            while (i < end && take(into, i)) {
                i++;
            }
        } finally {
            if (head != published) {
                publish();
            }
        }
        return head - before;
    }

    /** Fills one buffer; tells whether that is done. */
    private boolean take(IoVector into, int entry) {
        ByteBuffer buffer = into.buffer(entry);
        int position = buffer.position();
        int left = buffer.limit() - position;
        while (left > 0) {
            int there = (int) (tail - head);
            if (there == 0) {
                return false;
            }
            int at = next();
            int some = Math.min(Math.min(left, there), Math.min(size - at, mostUnpublished));
            try {
                buffer.put(position, ring, at, some);
            } catch (IllegalStateException e) {
                if (into.memory(entry).scope().isAlive()) {
                    throw e;
                }
                return false;
            }
            position += some;
            left -= some;
            head += some;
            buffer.position(position);
            into.count(some);
            if (head - published >= mostUnpublished) {
                publish();
            }
        }
        return true;
    }

    // A writer sleeps for room only if its ring is full: before it could write more, the head has come by a half of the
    // ring twice. So it is enough to look whether it sleeps when that happens, volatile here, and free of a fence else.
    private void publish() {
        long mine = head;
        if (((mine ^ published) & -(size / 2L)) == 0) {
            RingLayout.publishHead(own, mine);
        } else {
            RingLayout.publishHeadVolatile(own, mine);
            halves++;
        }
        published = mine;
    }

    /** Tells whether {@link #read} has something to say: bytes, or an end that it has not told. */
    boolean hasInput() {
        return !endTold && (RingLayout.tailVolatile(peer) != head || RingLayout.endVolatile(peer) != RingLayout.OPEN);
    }

    /** Returns the lower half of the peer's tail. */
    int tailNow() {
        return (int) RingLayout.tailVolatile(peer);
    }

    /** Tells whether the peer has reset the stream, also if bytes before that are not taken yet. */
    boolean isReset() {
        return RingLayout.endAcquire(peer) == RingLayout.RESET;
    }

    /** Tells whether the peer has ended its bytes in any way, also if some before that are not taken yet. */
    boolean isEndedByPeer() {
        return RingLayout.endAcquire(peer) != RingLayout.OPEN;
    }

    /** Says that all is done with the bytes that were taken. */
    void publishPlaced() {
        if (placed != head) {
            placed = head;
            RingLayout.publishPlaced(own, head);
        }
    }

    /** Returns how often the head has come by a half of the ring, so that the peer may be told of room. */
    long halves() {
        return halves;
    }

    /** Tells whether half of the ring is free, as far as is known. */
    boolean isHalfFree() {
        return tail - head <= size / 2;
    }
}
