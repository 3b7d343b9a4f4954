package org.panamaverbs.iwarp.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The file of one side: a page of words and the ring, all written by its owner alone. Numbers are in the byte order of
 * the machine.
 *
 * <pre>{@code
 * offset  word                 meaning
 *      0  magic      32 bits   the octets "PVrb"
 *      4  version    32 bits   2
 *      8  ring size  64 bits   octets, a power of two; these three are read once
 *    256  tail       64 bits   octets that the owner has put into its ring
 *    264  origin     64 bits   the octet that lies at 0: set, before tail, when the peer has taken all
 *    512  head       64 bits   octets that it has taken out of the peer's
 *    768  sleep      64 bits   bit 0: it sleeps until octets come, bit 1: until there is room; above: how often it slept;
 *                            bit 63: for octets it sleeps at the peer's tail, by futex(2), not by the bell
 *   1024  end        32 bits   0 open, 1 nothing comes behind tail, 2 reset
 *   1028  end seen   32 bits   1 when it has taken all that the peer has sent, and its end
 *   1280  placed     64 bits   octets of the peer's ring that it has taken and done with
 *   1288  admits     32 bits   the number of its queue pair while the peer may reach into its memory, else 0
 *   1292  rights     32 bits   what the peer may do there, bits of Access; read and written together with admits
 *   1536  claim      64 bits   the entry of the peer's table that it accesses now, 0 for none
 *   1792  want       64 bits   what it asks the peer for, by a number that it has not asked for before
 *   2048  asks       64 bits   where in its process that lies which the peer is to show, 0 for nothing
 *   2056  refused    32 bits   the error number by which the kernel kept it from reading what the peer asks, 0 for none
 *   2064  answer     256 bits  what it shows of that; see AccessProof
 *   2304  released   64 bits   streams over the file, one behind the other, that its owner is done with
 *   2312  taken      64 bits   the first octets of the token of the Offer by which its owner takes part in this stream
 *   4096  the ring             octet i of the stream lies at i - origin modulo the ring size
 * }</pre>
 *
 * <p>Words lie 256 bytes apart, since processors fetch cache lines in pairs. Counts begin at 0 and never wrap.
 */
public final class RingLayout {
    /** Bytes of the words, before the ring. */
    public static final int HEADER_BYTES = 4096;
    /** The smallest ring, in bytes. */
    public static final int MIN_RING_BYTES = 16 * 1024;
    /** The largest ring, in bytes. */
    public static final int MAX_RING_BYTES = 16 * 1024 * 1024;
    /**
     * The largest ring whose file may lack pages until they are accessed, in bytes: no peer makes this process have
     * more memory by a ring of which it has written nothing.
     */
    public static final int MOST_SPARSE_BYTES = 256 * 1024;
    /** A ring that suits most, in bytes. */
    public static final int DEFAULT_RING_BYTES = 256 * 1024;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 4;
    static final int SIZE_OFFSET = 8;
    static final int TAIL_OFFSET = 256;
    static final int ORIGIN_OFFSET = 264;
    static final int HEAD_OFFSET = 512;
    static final int SLEEP_OFFSET = 768;
    static final int END_OFFSET = 1024;
    static final int END_SEEN_OFFSET = 1028;
    static final int PLACED_OFFSET = 1280;
    static final int ADMITS_OFFSET = 1288;
    static final int RIGHTS_OFFSET = 1292;
    static final int CLAIM_OFFSET = 1536;
    static final int WANT_OFFSET = 1792;
    static final int ASKS_OFFSET = 2048;
    static final int REFUSED_OFFSET = 2056;
    static final int ANSWER_OFFSET = 2064;
    static final int RELEASED_OFFSET = 2304;
    static final int TAKEN_OFFSET = 2312;

    /** A hash of 256 bits. */
    static final int ANSWER_BYTES = 32;

    /** The bytes "PVrb" where the least significant byte comes first. */
    static final int MAGIC = 0x62725650;

    static final int VERSION = 2;

    /** The owner sleeps until the peer puts bytes into its ring. */
    static final long SLEEPS_FOR_OCTETS = 1;
    /** The owner sleeps until the peer takes bytes out of the owner's ring, which is full. */
    static final long SLEEPS_FOR_ROOM = 2;

    static final int SLEEP_COUNT_SHIFT = 2;

    /** The owner sleeps for octets at the peer's tail, of which a futex has the lower half. */
    static final long SLEEPS_AT_TAIL = 1L << 63;

    static final int OPEN = 0;
    static final int ENDED = 1;
    static final int RESET = 2;

    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private RingLayout() {}

    /**
     * Tells whether a ring may have so many bytes: a power of two from {@link #MIN_RING_BYTES} to
     * {@link #MAX_RING_BYTES}.
     */
    public static boolean isRingSize(long ringBytes) {
        return ringBytes >= MIN_RING_BYTES && ringBytes <= MAX_RING_BYTES && Long.bitCount(ringBytes) == 1;
    }

    /**
     * Returns the bytes of a file with a ring of {@code ringBytes}.
     *
     * @throws IllegalArgumentException if that is no size of a ring
     */
    public static long fileBytes(long ringBytes) {
        if (!isRingSize(ringBytes)) {
            throw new IllegalArgumentException(String.format(
                    "the size of a ring must be a power of two from %d to %d bytes, got %d",
                    MIN_RING_BYTES, MAX_RING_BYTES, ringBytes));
        }
        return HEADER_BYTES + ringBytes;
    }

    /**
     * Stores the first words of a new file, which is zero, for a ring of {@code ringBytes}. The peer must come to see
     * the file only after that.
     *
     * @throws IllegalArgumentException if that is no size of a ring, or not the one of the file
     */
    public static void format(MemorySegment own, long ringBytes) {
        if (own.byteSize() != fileBytes(ringBytes)) {
            throw new IllegalArgumentException(String.format(
                    "a ring of %d bytes needs a file of %d bytes, got %d",
                    ringBytes, fileBytes(ringBytes), own.byteSize()));
        }
        own.set(ValueLayout.JAVA_LONG, SIZE_OFFSET, ringBytes);
        own.set(ValueLayout.JAVA_INT, VERSION_OFFSET, VERSION);
        own.set(ValueLayout.JAVA_INT, MAGIC_OFFSET, MAGIC);
    }

    /**
     * Sets the words of a stream back to those of a new file, for the next one. Nobody uses the file meanwhile, and the
     * peer must come to know of that stream only after that.
     */
    public static void clear(MemorySegment own) {
        own.asSlice(TAIL_OFFSET, RELEASED_OFFSET - TAIL_OFFSET).fill((byte) 0);
    }

    /** Says that the owner of {@code own} is done with {@code streams} streams. */
    public static void publishReleased(MemorySegment own, long streams) {
        LONG.setRelease(own, (long) RELEASED_OFFSET, streams);
    }

    /** Returns with how many streams the owner of {@code peer} is done, as it says. */
    public static long releasedAcquire(MemorySegment peer) {
        return (long) LONG.getAcquire(peer, (long) RELEASED_OFFSET);
    }

    /** Says that the owner of {@code own} takes part in the stream of an Offer; behind {@link #clear}. */
    public static void publishTaken(MemorySegment own, long token) {
        LONG.setRelease(own, (long) TAKEN_OFFSET, token);
    }

    /** Returns of which Offer's stream the owner of {@code peer} took part in last, as it says. */
    public static long takenAcquire(MemorySegment peer) {
        return (long) LONG.getAcquire(peer, (long) TAKEN_OFFSET);
    }

    /**
     * Judges the first words of the peer's file, each read once, against the size of {@code peer}, the whole file.
     *
     * @return the bytes of the peer's ring
     * @throws RingCorruptException if that is not the file of a ring
     */
    public static int ringBytes(MemorySegment peer) throws RingCorruptException {
        long ringBytes = peer.byteSize() - HEADER_BYTES;
        if (!isRingSize(ringBytes)) {
            throw new RingCorruptException("the peer's file has " + peer.byteSize() + " bytes, expected " + HEADER_BYTES
                    + " and a ring, which is a power of two");
        }
        int magic = peer.get(ValueLayout.JAVA_INT, MAGIC_OFFSET);
        int version = peer.get(ValueLayout.JAVA_INT, VERSION_OFFSET);
        long said = peer.get(ValueLayout.JAVA_LONG, SIZE_OFFSET);
        if (magic != MAGIC || version != VERSION || said != ringBytes) {
            throw new RingCorruptException(String.format(
                    "the peer's file has magic %08x, version %d and ring size %d, expected %08x, %d and %d",
                    magic, version, said, MAGIC, VERSION, ringBytes));
        }
        return (int) ringBytes;
    }

    // ---- words, with the order that each access has
    // ------------------------------------------------------------------

    static long tailAcquire(MemorySegment file) {
        return (long) LONG.getAcquire(file, (long) TAIL_OFFSET);
    }

    static long tailVolatile(MemorySegment file) {
        return (long) LONG.getVolatile(file, (long) TAIL_OFFSET);
    }

    static void publishTail(MemorySegment file, long tail) {
        LONG.setRelease(file, (long) TAIL_OFFSET, tail);
    }

    static void publishTailVolatile(MemorySegment file, long tail) {
        LONG.setVolatile(file, (long) TAIL_OFFSET, tail);
    }

    /** Returns what is behind {@link #tailAcquire}. */
    static long originPlain(MemorySegment file) {
        return (long) LONG.get(file, (long) ORIGIN_OFFSET);
    }

    /** Stores what {@link #publishTail} makes visible. */
    static void originPlain(MemorySegment own, long origin) {
        LONG.set(own, (long) ORIGIN_OFFSET, origin);
    }

    static long headAcquire(MemorySegment file) {
        return (long) LONG.getAcquire(file, (long) HEAD_OFFSET);
    }

    static long headVolatile(MemorySegment file) {
        return (long) LONG.getVolatile(file, (long) HEAD_OFFSET);
    }

    static void publishHead(MemorySegment file, long head) {
        LONG.setRelease(file, (long) HEAD_OFFSET, head);
    }

    static void publishHeadVolatile(MemorySegment file, long head) {
        LONG.setVolatile(file, (long) HEAD_OFFSET, head);
    }

    static long sleepVolatile(MemorySegment file) {
        return (long) LONG.getVolatile(file, (long) SLEEP_OFFSET);
    }

    static void sleepVolatile(MemorySegment file, long sleep) {
        LONG.setVolatile(file, (long) SLEEP_OFFSET, sleep);
    }

    static void publishSleep(MemorySegment file, long sleep) {
        LONG.setRelease(file, (long) SLEEP_OFFSET, sleep);
    }

    static int endAcquire(MemorySegment file) {
        return (int) INT.getAcquire(file, (long) END_OFFSET);
    }

    static int endVolatile(MemorySegment file) {
        return (int) INT.getVolatile(file, (long) END_OFFSET);
    }

    static void publishEndVolatile(MemorySegment file, int end) {
        INT.setVolatile(file, (long) END_OFFSET, end);
    }

    static int endSeenAcquire(MemorySegment file) {
        return (int) INT.getAcquire(file, (long) END_SEEN_OFFSET);
    }

    static void publishEndSeen(MemorySegment file) {
        INT.setRelease(file, (long) END_SEEN_OFFSET, 1);
    }

    static long placedAcquire(MemorySegment file) {
        return (long) LONG.getAcquire(file, (long) PLACED_OFFSET);
    }

    static void publishPlaced(MemorySegment file, long placed) {
        LONG.setRelease(file, (long) PLACED_OFFSET, placed);
    }

    /** Returns the word of admission, of which {@link #admits} and {@link #rights} are parts. */
    static long admissionAcquire(MemorySegment file) {
        return (long) LONG.getAcquire(file, (long) ADMITS_OFFSET);
    }

    static void publishAdmission(MemorySegment own, int admits, int rights) {
        LONG.setRelease(own, (long) ADMITS_OFFSET, LITTLE ? word(rights, admits) : word(admits, rights));
    }

    static int admits(long admission) {
        return (int) (LITTLE ? admission : admission >>> Integer.SIZE);
    }

    static int rights(long admission) {
        return (int) (LITTLE ? admission >>> Integer.SIZE : admission);
    }

    private static long word(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }

    static long claimAcquire(MemorySegment file) {
        return (long) LONG.getAcquire(file, (long) CLAIM_OFFSET);
    }

    static void publishClaim(MemorySegment file, long claim) {
        LONG.setRelease(file, (long) CLAIM_OFFSET, claim);
    }

    static long wantAcquire(MemorySegment file) {
        return (long) LONG.getAcquire(file, (long) WANT_OFFSET);
    }

    static void publishWant(MemorySegment file, long want) {
        LONG.setRelease(file, (long) WANT_OFFSET, want);
    }
}
