package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.testkit.random.SeededRandom;

/**
 * One side that sends the pattern and reads what the peer sends, in random pieces, and that sleeps when it has nothing
 * remedy: only a bell wakes it.
 */
final class SimulatedSide {
    private static final int MOST_BUFFERS = 5;

    private final RingPair rings;
    private final long toSend;
    private final boolean resets;
    private final SeededRandom random;
    private long sent;
    private long received;
    private boolean ended;
    private boolean peerEnded;
    private boolean asleep;
    private boolean rung;

    /** Makes a side that sends {@code toSend} bytes, and then ends or resets the stream. */
    SimulatedSide(RingPair rings, long toSend, boolean resets, SeededRandom random) {
        this.rings = rings;
        this.toSend = toSend;
        this.resets = resets;
        this.random = random;
    }

    boolean isAsleep() {
        return asleep && !rung;
    }

    /** Tells whether it has sent all, its end included, and has seen the peer's end. */
    boolean isDone() {
        return ended && peerEnded;
    }

    @Override
    public String toString() {
        return "sent " + sent + " of " + toSend + (ended ? ", ended" : "") + ", received " + received
                + (peerEnded ? " and the end" : "") + (asleep ? ", asleep" : "");
    }

    long received() {
        return received;
    }

    RingPair rings() {
        return rings;
    }

    /** Hears the bell. */
    void ring() {
        rung = true;
    }

    /** Does something, unless it sleeps; returns whether the bell is to be rung. */
    boolean step() throws IOException {
        if (isAsleep()) {
            return false;
        }
        if (asleep) {
            rings.awake();
            asleep = false;
        }
        rung = false;
        boolean bell = false;
        boolean reads = random.oneIn(2);
        if (reads) {
            read();
            bell = rings.mustRing();
        }
        if (!reads || random.oneIn(3)) {
            write();
            // Perhaps only later: a batch rings once.
            bell |= random.oneIn(4) ? false : rings.mustRing();
        }
        if (random.oneIn(3)) {
            bell |= rings.mustRing();
            boolean wantsRoom = sent < toSend;
            asleep = rings.sleep(!peerEnded, wantsRoom);
        }
        return bell;
    }

    private void read() throws IOException {
        if (peerEnded) {
            return;
        }
        IoVector into = new IoVector(MOST_BUFFERS);
        ByteBuffer[] buffers = new ByteBuffer[random.between(1, MOST_BUFFERS)];
        for (int i = 0; i < buffers.length; i++) {
            int before = random.below(3);
            buffers[i] = ByteBuffer.allocateDirect(before + size()).position(before);
            into.add(buffers[i].mark(), MemorySegment.NULL);
        }
        long octets;
        try {
            octets = rings.read(into);
        } catch (RingResetException e) {
            octets = RingReader.END;
        }
        if (octets < 0) {
            peerEnded = true;
            return;
        }
        for (ByteBuffer buffer : buffers) {
            int end = buffer.position();
            buffer.reset();
            while (buffer.position() < end) {
                byte expected = TwoSides.octet(received);
                byte found = buffer.get();
                if (found != expected) {
                    throw new AssertionError("byte " + received + " is " + found + ", not " + expected);
                }
                received++;
                octets--;
            }
        }
        if (octets != 0) {
            throw new AssertionError(octets + " bytes more were said than came");
        }
    }

    private void write() throws IOException {
        if (ended) {
            return;
        }
        IoVector from = new IoVector(MOST_BUFFERS);
        long offset = sent;
        for (int i = random.between(1, MOST_BUFFERS); i > 0; i--) {
            int some = (int) Math.min(size(), toSend - offset);
            from.add(TwoSides.pattern(offset, some), MemorySegment.NULL);
            offset += some;
        }
        sent += rings.write(from);
        if (sent == toSend) {
            ended = true;
            if (resets) {
                rings.reset();
            } else {
                rings.end();
            }
        }
    }

    // Mostly small, sometimes about a ring or more.
    private int size() {
        return random.oneIn(8) ? random.below(3 * RingLayout.MIN_RING_BYTES) : random.below(200);
    }
}
