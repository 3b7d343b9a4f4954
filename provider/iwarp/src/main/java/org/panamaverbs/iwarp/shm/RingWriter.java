package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.iovec.IoVector;

/**
 * Puts bytes into this side's ring. What it has put it counts by itself, and never reads from its file; what the peer
 * has taken it reads only when its own count says that the ring is full. Belongs to the holder of the stream's lock.
 *
 * <p>Input: bytes ({@link #write}) and the end. Output: what was published, for {@link Doorbell}.
 */
final class RingWriter {
    // A long batch is published each time so much of it is there, so that the peer works on it meanwhile.
    private static final int MOST_UNPUBLISHED = 64 * 1024;
    // After so many bytes it is worth a look at the peer's line whether all is taken.
    private static final int LOOK_BYTES = 8 * 1024;

    private final MemorySegment own;
    private final MemorySegment peer;
    private final ByteBuffer ring;
    private final int size;
    private final int mask;
    private final int mostUnpublished;
    // Bytes put into the ring, of these published, and taken by the peer when it was last looked at.
    private long tail;
    private long published;
    private long head;
    // The octet that lies at 0, and the tail at which that was looked at last.
    private long origin;
    private long looked;
    private final int lookBytes;
    private int end = RingLayout.OPEN;

    /** Writes to the ring of this side's file, which is formatted and of which the peer has taken nothing. */
    RingWriter(RingFiles files) {
        own = files.own();
        peer = files.peer();
        size = (int) (own.byteSize() - RingLayout.HEADER_BYTES);
        mask = size - 1;
        mostUnpublished = Math.min(MOST_UNPUBLISHED, size / 4);
        lookBytes = Math.min(LOOK_BYTES, size / 4);
        ring = own.asSlice(RingLayout.HEADER_BYTES, size).asByteBuffer();
    }

    private int position() {
        return (int) (tail - origin) & mask;
    }

    // An empty ring is filled from 0: what little traffic touches is a few pages, and those are in the caches. The peer
    // reads the origin behind a tail that is beyond its head, and has published this head before.
    private void beginAgain() {
        if (tail - looked >= lookBytes) {
            looked = tail;
            if (RingLayout.headAcquire(peer) == tail) {
                head = tail;
                origin = tail;
                RingLayout.originPlain(own, tail);
            }
        }
    }

    /** Returns where in the ring the next {@code octets}, from 1, belong; negative if there is no room for them. */
    int reserve(int octets) {
        beginAgain();
        int at = position();
        if (octets > size - at) {
            return -1;
        }
        if (octets > size - (int) (tail - head)) {
            try {
                lookAtHead();
            } catch (RingCorruptException e) {
                // Who writes next finds it, too.
                return -1;
            }
            if (octets > size - (int) (tail - head)) {
                return -1;
            }
        }
        return at;
    }

    /** Says that the {@code octets} behind the tail are there. */
    void put(int octets) {
        tail += octets;
        publish();
    }

    /**
     * Puts as much of the buffers into the ring as it has room for, and counts it in {@code from}, also if it fails. Of
     * memory that its owner has closed nothing is put, nor of what is behind it.
     */
    long write(IoVector from) throws IOException {
        from.begin();
        beginAgain();
        long before = tail;
        try {
            int end = from.end();
            int i = from.first();
            while (i < end && put(from, i)) {
                i++;
            }
        } finally {
            if (tail != before) {
                publish();
            }
        }
        return tail - before;
    }

    /** Puts one buffer into the ring; tells whether that is done. */
    private boolean put(IoVector from, int entry) throws IOException {
        ByteBuffer buffer = from.buffer(entry);
        int position = buffer.position();
        int left = buffer.limit() - position;
        while (left > 0) {
            int room = size - (int) (tail - head);
            if (room == 0) {
                room = roomNow();
                if (room == 0) {
                    return false;
                }
            }
            int at = position();
            int some = Math.min(Math.min(left, room), Math.min(size - at, mostUnpublished));
            try {
                ring.put(at, buffer, position, some);
            } catch (IllegalStateException e) {
                return refuseUnlessClosed(from.memory(entry), e);
            }
            position += some;
            left -= some;
            tail += some;
            buffer.position(position);
            from.count(some);
            if (tail - published >= mostUnpublished) {
                RingLayout.publishTail(own, tail);
                published = tail;
            }
        }
        return true;
    }

    private static boolean refuseUnlessClosed(MemorySegment memory, IllegalStateException thrown) {
        if (memory.scope().isAlive()) {
            throw thrown;
        }
        return false;
    }

    // Volatile: the peer's sleep is read behind it. Who stores
    // its sleep and looks at the tail behind that does the same.
    private void publish() {
        RingLayout.publishTailVolatile(own, tail);
        published = tail;
    }

    /** Returns the bytes that the ring has room for now. */
    int roomNow() throws RingCorruptException {
        return size - (int) (tail - lookAtHead());
    }

    /** Tells whether the peer has taken bytes since {@link #write} found the ring full. */
    boolean hasRoom() {
        return tail - head < size || RingLayout.headVolatile(peer) != head;
    }

    private long lookAtHead() throws RingCorruptException {
        // Once: what is judged is what counts.
        long now = RingLayout.headAcquire(peer);
        if (now < head || now > tail) {
            throw new RingCorruptException(
                    "the peer's head is " + now + ", expected " + head + " to " + tail + ", which were sent");
        }
        head = now;
        return now;
    }

    /** Returns the bytes that the peer has not taken, and 1 for an end that it has not seen. */
    long unread() throws RingCorruptException {
        long left = tail - lookAtHead();
        boolean unseen = end != RingLayout.OPEN && RingLayout.endSeenAcquire(peer) == 0;
        return unseen ? left + 1 : left;
    }

    /** Returns how many bytes were put into the ring, ever. */
    long tail() {
        return tail;
    }

    /** Says that nothing comes behind what was put into the ring. */
    void end() {
        if (end == RingLayout.OPEN) {
            finish(RingLayout.ENDED);
        }
    }

    /** Says that the stream is reset. */
    void reset() {
        finish(RingLayout.RESET);
    }

    private void finish(int how) {
        end = how;
        RingLayout.publishEndVolatile(own, how);
    }

    /** Returns how it has ended. */
    int ended() {
        return end;
    }
}
