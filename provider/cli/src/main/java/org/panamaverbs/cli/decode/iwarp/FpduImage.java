package org.panamaverbs.cli.decode.iwarp;

import java.util.List;

/**
 * An FPDU out of its stream, without its markers.
 *
 * @param wireBytes what it took of the stream, markers included
 * @param complete whether all of it was captured
 * @param ulpdu the DDP segment; zeros from {@code knownBytes} on
 * @param knownBytes octets of {@code ulpdu} in front of the first one that was not captured
 * @param pad the octets behind the ULPDU
 * @param crc the CRC field
 * @param markers its markers, in order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FpduImage(
        int wireBytes, boolean complete, byte[] ulpdu, int knownBytes, byte[] pad, CrcField crc, List<Marker> markers) {
    /**
     * A CRC field, as a big-endian number, which other analysers show, too.
     *
     * @param found as it was sent
     * @param expected what it would be if it were right
     */
    record CrcField(int found, int expected) {
        boolean matches() {
            return found == expected;
        }
    }

    /**
     * A marker.
     *
     * @param offset where it is, in octets from the first one of the FPDU's turn
     * @param reserved the first half, 0 on transmit
     * @param pointer FPDUPTR as found
     * @param expected what FPDUPTR would be if it were right
     */
    record Marker(int offset, int reserved, int pointer, int expected) {}
}
