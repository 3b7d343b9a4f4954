package org.panamaverbs.cli.decode.dissect;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.EnhancedBlock;
import org.panamaverbs.iwarp.wire.MpaFrame;

/** Takes an MPA Request or Reply apart. */
public final class MpaFrameDissector {
    private static final int FLAG_REJECT = 0x20;
    private static final int RESERVED_MASK = 0x1F;
    private static final int RESERVED_MASK_ENHANCED = 0x0F;

    private MpaFrameDissector() {}

    /**
     * All fields of a frame.
     *
     * @param flags its flags' octet
     * @param complete whether its private data was captured, enhanced block and all
     * @param smbDirect whether the connection is of SMB Direct
     */
    public static List<Field> fields(MpaFrame frame, int flags, boolean complete, boolean smbDirect) {
        boolean enhanced = frame.revision() == MpaFrame.REVISION_ENHANCED;
        EnhancedBlock block = frame.block();
        int blockBytes = block == null ? 0 : EnhancedBlock.BYTES;
        Fields fields = new Fields()
                .flag("markers", "Markers wanted (M)", frame.markers())
                .flag("crc", "CRC wanted (C)", frame.crc())
                .flag("reject", "Connection rejected (R)", (flags & FLAG_REJECT) != 0)
                .flag("enhanced", "Enhanced block present (S)", block != null)
                .count("reserved", "Reserved", flags & (enhanced ? RESERVED_MASK_ENHANCED : RESERVED_MASK))
                .count("revision", "Revision", frame.revision())
                .count(
                        "privateDataLength",
                        "Private data length",
                        frame.privateData().size() + blockBytes);
        if (block != null && complete) {
            fields.group(
                    "enhancedBlock",
                    "Enhanced connection set-up (RFC 6581)",
                    new Fields()
                            .flag("peerToPeer", "Peer-to-peer model (A)", block.peerToPeer())
                            .flag("rtrSend", "RTR by zero-length Send (B)", block.rtrSend())
                            .count("ird", depthLabel("IRD", block.ird()), block.ird())
                            .flag("rtrWrite", "RTR by zero-length RDMA Write (C)", block.rtrWrite())
                            .flag("rtrRead", "RTR by zero-length RDMA Read (D)", block.rtrRead())
                            .count("ord", depthLabel("ORD", block.ord()), block.ord()));
        }
        SmbDirectDepths depths = complete && smbDirect ? SmbDirectDepths.of(frame) : null;
        if (depths != null) {
            fields.group(
                    "smbDirect",
                    "SMB Direct, in the private data",
                    new Fields()
                            .count("ird", "IRD", depths.ird())
                            .count("ord", "ORD", depths.ord())
                            .flag("littleEndian", "Little-endian", depths.littleEndian()));
        }
        if (complete) {
            fields.octets("privateData", "Private data", frame.privateData().toByteArray());
        }
        return List.of(fields.asGroup("mpa", "Marker PDU Aligned framing, " + title(frame)));
    }

    private static String depthLabel(String name, int depth) {
        return depth == EnhancedBlock.NOT_NEGOTIATED ? name + " (not negotiated)" : name;
    }

    public static String title(MpaFrame frame) {
        return frame.reply() ? "MPA Reply" : "MPA Request";
    }

    /** What matters of a frame, in a line; the parameters are those of {@link #fields}. */
    public static String summary(MpaFrame frame, boolean complete, boolean smbDirect) {
        StringJoiner summary = new StringJoiner(", ").add("rev " + frame.revision());
        if (frame.reject()) {
            summary.add("rejects the connection");
        }
        summary.add(frame.crc() ? "CRC" : "no CRC").add(frame.markers() ? "markers" : "no markers");
        if (!complete) {
            return summary.add("not all of it captured").toString();
        }
        EnhancedBlock block = frame.block();
        if (block != null) {
            summary.add(depth("IRD", block.ird())).add(depth("ORD", block.ord()));
            if (block.peerToPeer()) {
                summary.add("peer-to-peer");
            }
            if (block.hasRtr()) {
                summary.add("RTR" + (block.rtrSend() ? " Send" : "") + (block.rtrWrite() ? " Write" : "")
                        + (block.rtrRead() ? " Read" : ""));
            }
        }
        SmbDirectDepths depths = smbDirect ? SmbDirectDepths.of(frame) : null;
        if (depths != null) {
            summary.add("SMB Direct IRD " + depths.ird())
                    .add("SMB Direct ORD " + depths.ord() + (depths.littleEndian() ? " (in little-endian order)" : ""));
        }
        if (!frame.privateData().isEmpty()) {
            summary.add(frame.privateData().size() + " octets of private data");
        }
        return summary.toString();
    }

    private static String depth(String name, int depth) {
        return name + " " + (depth == EnhancedBlock.NOT_NEGOTIATED ? "not negotiated" : depth);
    }

    /** What is wrong with a frame that can be used. */
    public static List<String> problems(MpaFrame frame, int flags) {
        List<String> problems = new ArrayList<>();
        if (!frame.reply() && (flags & FLAG_REJECT) != 0) {
            problems.add("R is set in a Request");
        }
        return problems;
    }

    /**
     * IRD and ORD as SMB Direct tells them where MPA has no place for them: in revision 1, two words of private data.
     *
     * @param ird what its sender answers at once
     * @param ord what its sender asks for at once
     * @param littleEndian whether they are in this order, as Linux's clients had them for long
     */
    private record SmbDirectDepths(long ird, long ord, boolean littleEndian) {
        private static final int BYTES = 8;
        /** What no depth exceeds, so that a larger one tells the other order. */
        private static final int MAX_DEPTH = 0xFFFF;

        /** Those of {@code frame} of a connection of SMB Direct, or null if there are none. */
        static @Nullable SmbDirectDepths of(MpaFrame frame) {
            if (frame.revision() != MpaFrame.REVISION_STANDARD
                    || frame.privateData().size() != BYTES) {
                return null;
            }
            ByteBuffer words = ByteBuffer.wrap(frame.privateData().toByteArray());
            int ird = words.getInt(0);
            int ord = words.getInt(Integer.BYTES);
            if (isDepth(ird) && isDepth(ord)) {
                return new SmbDirectDepths(ird, ord, false);
            }
            ird = Integer.reverseBytes(ird);
            ord = Integer.reverseBytes(ord);
            return isDepth(ird) && isDepth(ord) ? new SmbDirectDepths(ird, ord, true) : null;
        }

        private static boolean isDepth(int word) {
            return word >= 0 && word <= MAX_DEPTH;
        }
    }
}
