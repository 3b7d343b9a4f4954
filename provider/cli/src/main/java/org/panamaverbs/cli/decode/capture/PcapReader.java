package org.panamaverbs.cli.decode.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A classic pcap.
 *
 * <pre>
 *  0       4       6       8      12      16        20         24
 *  | magic | major | minor | zone | sigfigs | snaplen | link type |      then, for each packet:
 *  0         4            8          12         16
 *  | seconds | fraction   | captured | original | packet ...
 * </pre>
 */
final class PcapReader implements CaptureReader {
    private static final int FILE_HEADER_BYTES = 24;
    private static final int MAGIC_BYTES = 4;
    private static final int MAJOR = 4 - MAGIC_BYTES;
    private static final int LINK_TYPE = 20 - MAGIC_BYTES;
    private static final int MAJOR_VERSION = 2;
    // The upper bits tell of a frame check sequence, which is behind the IP packet and thus no matter here.
    private static final int LINK_TYPE_MASK = 0xFFFF;
    private static final int PACKET_HEADER_BYTES = 16;
    private static final int FRACTION = 4;
    private static final int CAPTURED = 8;
    private static final int ORIGINAL = 12;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Source source;
    private final PcapFormat format;
    private final int linkType;
    private long frame;

    PcapReader(Source source, PcapFormat format) throws IOException {
        this.source = source;
        this.format = format;
        ByteBuffer header = source.exactly(FILE_HEADER_BYTES - MAGIC_BYTES, "the file header")
                .order(format.order());
        int major = Short.toUnsignedInt(header.getShort(MAJOR));
        if (major != MAJOR_VERSION) {
            throw new CaptureException(
                    "is a pcap of version " + major + ", at offset " + (MAJOR + MAGIC_BYTES) + ", expected version 2");
        }
        linkType = header.getInt(LINK_TYPE) & LINK_TYPE_MASK;
    }

    @Override
    public @Nullable Packet next() throws IOException {
        long start = source.position();
        ByteBuffer header = source.upTo(PACKET_HEADER_BYTES).order(format.order());
        if (header.limit() == 0) {
            return null;
        }
        frame++;
        if (header.limit() < PACKET_HEADER_BYTES) {
            throw new CaptureException("ends at offset %d, within the header of frame %d: %d of %d octets are there"
                    .formatted(source.position(), frame, header.limit(), PACKET_HEADER_BYTES));
        }
        long captured = Integer.toUnsignedLong(header.getInt(CAPTURED));
        if (captured > MAX_BLOCK_BYTES) {
            throw new CaptureException("is damaged: frame %d at offset %d claims to have %d octets, limit %d"
                    .formatted(frame, start, captured, MAX_BLOCK_BYTES));
        }
        long seconds = Integer.toUnsignedLong(header.getInt(0));
        long fraction = Integer.toUnsignedLong(header.getInt(FRACTION));
        byte[] octets = source.exactly((int) captured, "frame " + frame).array();
        long original = Integer.toUnsignedLong(header.getInt(ORIGINAL));
        return new Packet(
                frame,
                seconds * NANOS_PER_SECOND + fraction * format.nanosPerTick(),
                0,
                linkType,
                octets,
                Math.max(captured, original));
    }

    @Override
    public long position() {
        return source.position();
    }

    /**
     * The four forms of a classic pcap, told apart by its first word.
     *
     * @param order of all its headers
     * @param nanosPerTick of the second word of a timestamp
     */
    record PcapFormat(ByteOrder order, int nanosPerTick) {
        private static final int MICROS = 0xA1B2C3D4;
        private static final int NANOS = 0xA1B23C4D;
        private static final int NANOS_PER_MICRO = 1000;

        /** The format that begins with this word, read as big-endian, or null. */
        static @Nullable PcapFormat of(int word) {
            for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
                int magic = order == ByteOrder.BIG_ENDIAN ? word : Integer.reverseBytes(word);
                if (magic == MICROS || magic == NANOS) {
                    return new PcapFormat(order, magic == MICROS ? NANOS_PER_MICRO : 1);
                }
            }
            return null;
        }
    }
}
