package org.panamaverbs.cli.decode.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads the packets of a capture in the order of the file, holding one at a time. */
public interface CaptureReader {
    /** Longest packet or block that is believed; what claims to be longer is taken as damage. */
    int MAX_BLOCK_BYTES = 16 << 20;

    /**
     * Returns the next packet, or null at the end of the capture.
     *
     * @throws CaptureException if the file is damaged or cut off here; nothing more can be read from it
     */
    @Nullable
    Packet next() throws IOException;

    /** Octets of the file that were read so far. */
    long position();

    /**
     * Begins to read a capture, of whichever format its first octets announce.
     *
     * @param stream the capture from its first octet on; stays its caller's, who closes it
     * @throws CaptureException if it is neither pcap nor pcapng
     */
    static CaptureReader of(InputStream stream) throws IOException {
        Source source = new Source(stream);
        ByteBuffer magic = source.upTo(Integer.BYTES);
        if (magic.limit() == 0) {
            throw new CaptureException(
                    "is empty: no packet has been written yet (tcpdump -U writes each packet at once)");
        }
        int word = magic.limit() < Integer.BYTES ? 0 : magic.getInt(0);
        if (word == PcapngReader.SECTION_HEADER) {
            return new PcapngReader(source);
        }
        PcapReader.PcapFormat format = PcapReader.PcapFormat.of(word);
        if (format != null) {
            return new PcapReader(source, format);
        }
        throw new CaptureException("is neither pcap nor pcapng: " + guess(magic) + " at offset 0");
    }

    private static String guess(ByteBuffer magic) {
        StringBuilder hex = new StringBuilder("found");
        for (int i = 0; i < magic.limit(); i++) {
            hex.append(" %02x".formatted(magic.get(i)));
        }
        if (magic.limit() < Integer.BYTES) {
            return hex + " and the end";
        }
        int word = magic.getInt(0);
        if (word >>> 16 == 0x1F8B) {
            return hex + ", a gzip file (gzip -dc FILE | verbs decode -),";
        }
        if (word == 0x28B52FFD) {
            return hex + ", a zstd file (zstd -dc FILE | verbs decode -),";
        }
        if (word == 0xA1B2CD34 || word == 0x34CDB2A1) {
            return hex + ", a modified pcap (tshark -F pcapng -r FILE -w OUT makes a pcapng),";
        }
        return hex + ", not a capture (tcpdump -w FILE makes one),";
    }
}
