package org.panamaverbs.cli.decode.dissect;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.mpa.MpaFrame;

/**
 * IRD and ORD as SMB Direct tells them where MPA has no place for them: in revision 1, two words of private data.
 *
 * @param ird what its sender answers at once
 * @param ord what its sender asks for at once
 * @param littleEndian whether they are in this order, as Linux's clients had them for long
 */
record SmbDirectDepths(long ird, long ord, boolean littleEndian) {
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
