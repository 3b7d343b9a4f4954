package org.panamaverbs.iwarp.wire;

/** Rewrites a Terminate the way Linux siw lays it out on a little-endian host. */
final class SiwLayout {
    private static final int CONTROL = DdpHeader.UNTAGGED_BYTES;

    private SiwLayout() {}

    /**
     * The same Terminate in siw's layout.
     *
     * @param ulpdu a Terminate in the RFC's layout
     * @param payloadLength what siw puts into DDP Segment Length, or -1 to leave it
     */
    static byte[] of(byte[] ulpdu, int payloadLength) {
        byte[] siw = ulpdu.clone();
        int first = siw[CONTROL] & 0xFF;
        siw[CONTROL] = (byte) (first >>> 4 | first << 4);
        siw[CONTROL + TerminateHeader.FLAGS] =
                (byte) (Integer.reverse(siw[CONTROL + TerminateHeader.FLAGS] & 0xFF) >>> 24);
        if (payloadLength >= 0) {
            int at = CONTROL + TerminateHeader.SEGMENT_LENGTH;
            siw[at] = (byte) (payloadLength >>> 8);
            siw[at + 1] = (byte) payloadLength;
        }
        return siw;
    }
}
