package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.panamaverbs.iwarp.net.unix.ReceivedFile;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.shm.RingPair;
import org.panamaverbs.iwarp.wire.Octets;

/** The two files of a stream, this side's and the peer's, mapped, with the rings over them. */
final class SharedRings implements AutoCloseable {
    /** Whether an access to a page that is missing finds memory, as far as the system has any. */
    private static final boolean OVERCOMMITS = overcommits(Path.of("/proc/sys/vm/overcommit_memory"));

    private final SealedFile own;
    private final SealedFile peer;
    private final RingPair rings;
    // Streams over these files that have ended here.
    private final long before;

    /** Makes rings over two files, which are its own from now on if it does not fail. */
    SharedRings(SealedFile own, SealedFile peer) {
        this(own, peer, 0);
    }

    private SharedRings(SealedFile own, SealedFile peer, long before) {
        this.own = own;
        this.peer = peer;
        this.before = before;
        rings = new RingPair(own.memory(), peer.memory());
    }

    /**
     * Tells by the system's {@code setting} whether it promises more memory than there is: man 5 proc_sys_vm. Where it
     * does not (2), it refuses by a signal, which ends the process, what goes beyond the limit of all processes.
     */
    static boolean overcommits(Path setting) {
        try {
            return !Files.readAllLines(setting).contains("2");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean mayBeSparse(long ringBytes) {
        return OVERCOMMITS && ringBytes <= RingLayout.MOST_SPARSE_BYTES;
    }

    /** Makes this side's file, with a ring of {@code ringBytes}. */
    static SealedFile make(int ringBytes) throws IOException {
        long bytes = RingLayout.fileBytes(ringBytes);
        SealedFile file = mayBeSparse(ringBytes)
                ? SealedFile.createSparse("panama-verbs", bytes)
                : SealedFile.create("panama-verbs", bytes);
        boolean made = false;
        try {
            RingLayout.format(file.memory(), ringBytes);
            made = true;
            return file;
        } finally {
            if (!made) {
                file.close();
            }
        }
    }

    /**
     * Maps the peer's file, of {@code bytes} bytes as it says, and closes it; {@code own} is this one's with it, if
     * that succeeds.
     */
    static SharedRings over(SealedFile own, ReceivedFile received, long bytes) throws IOException {
        if (!RingLayout.isRingSize(bytes - RingLayout.HEADER_BYTES)) {
            received.close();
            throw new IOException("the peer's file has " + bytes + " bytes, which is not the size of a ring file");
        }
        SealedFile peer =
                mayBeSparse(bytes - RingLayout.HEADER_BYTES) ? received.mapSparse(bytes) : received.map(bytes);
        boolean made = false;
        try {
            RingLayout.ringBytes(peer.memory());
            SharedRings both = new SharedRings(own, peer);
            made = true;
            return both;
        } finally {
            if (!made) {
                peer.close();
            }
        }
    }

    /** Says that this side is done with the stream. */
    void release() {
        RingLayout.publishReleased(own.memory(), before + 1);
    }

    /** Tells whether the peer is, once this side is: then nobody looks at this side's file. */
    boolean isReleasedByPeer() {
        return RingLayout.releasedAcquire(peer.memory()) == before + 1;
    }

    /** Returns the rings of the next stream over the same files, which are those from now on. */
    SharedRings again() {
        RingLayout.clear(own.memory());
        return new SharedRings(own, peer, before + 1);
    }

    /** Says that this side takes part in the stream that {@code token} was shown for. */
    void publishTaken(Octets token) {
        RingLayout.publishTaken(own.memory(), first(token));
    }

    /** Tells whether the peer does: nobody else can say so, and what it has said of the stream before is cleared. */
    boolean isTakenByPeer(Octets token) {
        return RingLayout.takenAcquire(peer.memory()) == first(token);
    }

    private static long first(Octets token) {
        return ByteBuffer.wrap(token.toByteArray()).getLong();
    }

    RingPair rings() {
        return rings;
    }

    /** Returns the bytes of this side's ring. */
    long ownBytes() {
        return own.memory().byteSize() - RingLayout.HEADER_BYTES;
    }

    /** Returns the bytes of the peer's ring. */
    long peerBytes() {
        return peer.memory().byteSize() - RingLayout.HEADER_BYTES;
    }

    /** Returns the peer's file. */
    SealedFile peer() {
        return peer;
    }

    /** Unmaps this side's file; the peer's is another's to close. Can be repeated. */
    void closeOwn() {
        own.close();
    }

    /** Unmaps both files, each though the other cannot be unmapped; can be repeated. */
    @Override
    public void close() {
        try (peer;
                own) {
            // Both, though one cannot be unmapped.
        }
    }
}
