package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An MPA Request or Reply Frame, the first thing either side sends (RFC 5044 §7.1.1, RFC 6581 §6). No CRC, no markers,
 * no pad.
 *
 * <pre>
 *  0                        16               17    18          20
 *  | Key "MPA ID Req Frame" | M C R S Rsvd 4 | Rev | PD_Length | private data ...
 * </pre>
 *
 * <p>PD_Length, 0..512, counts the enhanced block if there is one. Reserved bits are 0 on transmit and ignored on
 * receive.
 *
 * @param reply a Reply rather than a Request
 * @param markers M: the sender requires markers in what it receives
 * @param crc C: the sender wants CRC in use
 * @param reject R: the connection is refused; in a Reply only
 * @param revision 0 RDMA Consortium, 1 RFC 5044, 2 RFC 6581
 * @param block the enhanced block, S; with revision 2 only
 * @param privateData the ULP's part of the private data, 0..512 octets, 0..508 with a block
 */
public record MpaFrame(
        boolean reply,
        boolean markers,
        boolean crc,
        boolean reject,
        int revision,
        @Nullable EnhancedBlock block,
        Octets privateData) {
    /** Size of the key. */
    public static final int KEY_BYTES = 16;
    /** Size of everything in front of the private data. */
    public static final int HEADER_BYTES = 20;
    /** Largest PD_Length. */
    public static final int MAX_PRIVATE_DATA = 512;
    /** Largest frame. */
    public static final int MAX_BYTES = HEADER_BYTES + MAX_PRIVATE_DATA;

    /** Revision of the RDMA Consortium's specification. */
    public static final int REVISION_RDMAC = 0;
    /** Revision of RFC 5044. */
    public static final int REVISION_STANDARD = 1;
    /** Revision of RFC 6581. */
    public static final int REVISION_ENHANCED = 2;

    static final int FLAG_M = 0x80;
    static final int FLAG_C = 0x40;
    static final int FLAG_R = 0x20;
    static final int FLAG_S = 0x10;

    /** Where M, C, R, S and the reserved bits lie, one octet. */
    public static final int FLAGS = 16;

    private static final int REVISION = 17;
    private static final int PD_LENGTH = 18;
    private static final byte[] REQUEST_KEY = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY_KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);

    /** Refuses combinations that have no encoding. */
    public MpaFrame {
        int length = privateData.size() + (block == null ? 0 : EnhancedBlock.BYTES);
        if (length > MAX_PRIVATE_DATA) {
            throw new IllegalArgumentException(
                    "private data with enhanced block has %d octets, limit %d".formatted(length, MAX_PRIVATE_DATA));
        }
        if (revision < REVISION_RDMAC || revision > REVISION_ENHANCED) {
            throw new IllegalArgumentException("MPA revision %d, expected 0..2".formatted(revision));
        }
        if (block != null && revision != REVISION_ENHANCED) {
            throw new IllegalArgumentException("an enhanced block needs MPA revision 2, got " + revision);
        }
        if (reject && !reply) {
            throw new IllegalArgumentException("only a Reply can reject");
        }
    }

    /** What the bytes of a peer amount to. */
    public sealed interface Parsed permits NeedMore, Frame, Malformed {}

    /**
     * Fine so far, but not complete.
     *
     * @param bytes octets still needed, at least; may grow once PD_Length is known
     */
    public record NeedMore(int bytes) implements Parsed {}

    /**
     * A complete frame.
     *
     * @param frame its value
     * @param bytes octets it took; what follows belongs to the stream
     */
    public record Frame(MpaFrame frame, int bytes) implements Parsed {}

    /**
     * Not an MPA frame this stack can use.
     *
     * @param defect what is wrong
     * @param reason the same in words, with the numbers
     */
    public record Malformed(Defect defect, String reason) implements Parsed {}

    /** Ways a start-up frame can be wrong. */
    public enum Defect {
        /** The key is neither of the two. */
        KEY,
        /** A Request where a Reply is due, or the reverse; for one, both sides think they are the initiator. */
        ROLE,
        /** A revision above 2. */
        REVISION,
        /** PD_Length above 512. */
        PRIVATE_DATA_LENGTH,
        /** S is set, but PD_Length has no room for the enhanced block. */
        ENHANCED_BLOCK
    }

    /** True when S is set: revision 2 with an enhanced block. */
    public boolean enhanced() {
        return block != null;
    }

    /** Returns what every Reply begins with. */
    public static byte[] replyKey() {
        return REPLY_KEY.clone();
    }

    /** Tells whether {@code parsed} begins with another key than is due. */
    public static boolean isWrongKey(Parsed parsed) {
        return parsed instanceof Malformed malformed
                && (malformed.defect == Defect.KEY || malformed.defect == Defect.ROLE);
    }

    /** The frame as it goes on the wire. */
    public byte[] encode() {
        int blockBytes = block == null ? 0 : EnhancedBlock.BYTES;
        int length = blockBytes + privateData.size();
        byte[] bytes = new byte[HEADER_BYTES + length];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        buffer.put(reply ? REPLY_KEY : REQUEST_KEY)
                .put((byte) flags())
                .put((byte) revision)
                .putShort((short) length);
        if (block != null) {
            buffer.putInt(block.encode());
        }
        privateData.copyTo(bytes, buffer.position());
        return bytes;
    }

    private int flags() {
        return (markers ? FLAG_M : 0) | (crc ? FLAG_C : 0) | (reject ? FLAG_R : 0) | (block == null ? 0 : FLAG_S);
    }

    /**
     * Judges what has arrived so far, from the first octet on, so that a stranger is noticed before a whole header is
     * there.
     *
     * @param offset where the frame begins
     * @param available octets that have arrived, from {@code offset}; may be 0, may exceed the frame
     * @param expectReply whether a Reply is due rather than a Request
     */
    public static Parsed parse(MemorySegment segment, long offset, int available, boolean expectReply) {
        Malformed badKey = checkKey(segment, offset, Math.min(available, KEY_BYTES), expectReply);
        if (badKey != null) {
            return badKey;
        }
        if (available < HEADER_BYTES) {
            return new NeedMore(HEADER_BYTES - available);
        }
        int flags = Byte.toUnsignedInt(segment.get(Wire.OCTET, offset + FLAGS));
        int revision = Byte.toUnsignedInt(segment.get(Wire.OCTET, offset + REVISION));
        int length = Short.toUnsignedInt(segment.get(Wire.U16, offset + PD_LENGTH));
        if (revision > REVISION_ENHANCED) {
            return new Malformed(Defect.REVISION, "MPA revision %d, expected 0..2".formatted(revision));
        }
        if (length > MAX_PRIVATE_DATA) {
            return new Malformed(
                    Defect.PRIVATE_DATA_LENGTH, "PD_Length %d, limit %d".formatted(length, MAX_PRIVATE_DATA));
        }
        // RFC 6581 §6: S is defined for revision 2; before that the bit is reserved and not checked.
        boolean enhanced = revision == REVISION_ENHANCED && (flags & FLAG_S) != 0;
        if (enhanced && length < EnhancedBlock.BYTES) {
            return new Malformed(
                    Defect.ENHANCED_BLOCK,
                    "S is set, but PD_Length %d is less than %d".formatted(length, EnhancedBlock.BYTES));
        }
        if (available < HEADER_BYTES + length) {
            return new NeedMore(HEADER_BYTES + length - available);
        }
        return new Frame(
                decode(segment, offset, flags, revision, length, enhanced, expectReply), HEADER_BYTES + length);
    }

    private static MpaFrame decode(
            MemorySegment segment, long offset, int flags, int revision, int length, boolean enhanced, boolean reply) {
        long data = offset + HEADER_BYTES;
        int blockBytes = enhanced ? EnhancedBlock.BYTES : 0;
        return new MpaFrame(
                reply,
                (flags & FLAG_M) != 0,
                (flags & FLAG_C) != 0,
                // RFC 5044 §7.1.1: in a Request Frame R is reserved and not checked on reception.
                reply && (flags & FLAG_R) != 0,
                revision,
                enhanced ? EnhancedBlock.decode(segment.get(Wire.U32, data)) : null,
                Octets.copyOf(segment, data + blockBytes, length - blockBytes));
    }

    // The first octet that is wrong decides, so that it does not matter how many are here.
    private static @Nullable Malformed checkKey(MemorySegment segment, long offset, int bytes, boolean expectReply) {
        byte[] expected = expectReply ? REPLY_KEY : REQUEST_KEY;
        byte[] other = expectReply ? REQUEST_KEY : REPLY_KEY;
        for (int i = 0; i < bytes; i++) {
            byte octet = segment.get(Wire.OCTET, offset + i);
            if (octet != expected[i]) {
                return octet == other[i] ? wrongRole(expectReply) : stranger(Octets.copyOf(segment, offset, bytes));
            }
        }
        return null;
    }

    private static Malformed wrongRole(boolean expectReply) {
        return new Malformed(
                Defect.ROLE,
                expectReply ? "got an MPA Request, expected a Reply" : "got an MPA Reply, expected a Request");
    }

    private static Malformed stranger(Octets got) {
        String text = got.quoted();
        return new Malformed(
                Defect.KEY, "not the key of an MPA frame: " + (text.isEmpty() ? got : text + " (" + got + ")"));
    }
}
