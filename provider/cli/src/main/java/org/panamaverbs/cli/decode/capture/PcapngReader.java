package org.panamaverbs.cli.decode.capture;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pcapng: sections of blocks, of which those with interfaces and packets are read and all others passed over.
 *
 * <pre>
 *  0      4              8          length - 4
 *  | type | total length | body ... | total length |
 * </pre>
 */
final class PcapngReader implements CaptureReader {
    /** Block type of a section header, the same in both byte orders. */
    static final int SECTION_HEADER = 0x0A0D0D0A;

    private static final int INTERFACE = 1;
    private static final int OBSOLETE_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;

    private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
    private static final int FRAME_BYTES = 12;
    private static final int SECTION_BODY_BYTES = 16;
    private static final int INTERFACE_BODY_BYTES = 8;
    private static final int PACKET_BODY_BYTES = 20;
    private static final int SIMPLE_BODY_BYTES = 4;
    private static final int ALIGN_MASK = 3;
    private static final int MAX_INTERFACES = 4096;

    private static final int OPTION_END = 0;
    private static final int OPTION_TSRESOL = 9;
    private static final int OPTION_TSOFFSET = 14;

    /** Where packets of a section came in. */
    private record Interface(int id, int linkType, long snapLength, Resolution resolution) {}

    /** Octets in front of a packet in its block's body, and of the packet as captured and as sent. */
    private record Lengths(int header, long captured, long original) {}

    private final Source source;
    private final List<Interface> interfaces = new ArrayList<>();
    private ByteOrder order = ByteOrder.BIG_ENDIAN;
    private long frame;

    /** Goes on behind the first section's block type. */
    PcapngReader(Source source) throws IOException {
        this.source = source;
        section(0);
    }

    @Override
    public @Nullable Packet next() throws IOException {
        while (true) {
            long start = source.position();
            ByteBuffer type = source.upTo(Integer.BYTES).order(order);
            if (type.limit() == 0) {
                return null;
            }
            if (type.limit() < Integer.BYTES) {
                throw new CaptureException(
                        "ends at offset %d, within the type of a block".formatted(source.position()));
            }
            int code = type.getInt(0);
            if (code == SECTION_HEADER) {
                section(start);
                continue;
            }
            int length = source.exactly(Integer.BYTES, "a block's length")
                    .order(order)
                    .getInt(0);
            ByteBuffer body = body(start, length, 0, "the block at offset " + start);
            switch (code) {
                case INTERFACE -> addInterface(start, body);
                case ENHANCED_PACKET, OBSOLETE_PACKET -> {
                    return packet(start, body, code == OBSOLETE_PACKET);
                }
                case SIMPLE_PACKET -> {
                    return simplePacket(start, body);
                }
                default -> {}
            }
        }
    }

    @Override
    public long position() {
        return source.position();
    }

    /** Reads a section header from behind its type. */
    private void section(long start) throws IOException {
        ByteBuffer head = source.exactly(2 * Integer.BYTES, "the section header");
        int magic = head.getInt(Integer.BYTES);
        if (magic != BYTE_ORDER_MAGIC && Integer.reverseBytes(magic) != BYTE_ORDER_MAGIC) {
            throw new CaptureException("is damaged: the section header at offset %d has no byte-order magic but %08x"
                    .formatted(start, magic));
        }
        order = magic == BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int length = head.order(order).getInt(0);
        ByteBuffer body = body(start, length, Integer.BYTES, "the section header at offset " + start);
        requireBody(start, "section header", Integer.BYTES + body.limit(), SECTION_BODY_BYTES);
        int major = unsignedShort(body, 0);
        if (major != 1) {
            throw new CaptureException(
                    "is a pcapng of version %d, at offset %d, expected version 1".formatted(major, start));
        }
        interfaces.clear();
    }

    /** Reads the rest of the body of a block, of which {@code begun} octets were read already. */
    private ByteBuffer body(long start, int totalLength, int begun, String what) throws IOException {
        int rest = totalLength - FRAME_BYTES - begun;
        if (totalLength < FRAME_BYTES || totalLength > MAX_BLOCK_BYTES || (totalLength & ALIGN_MASK) != 0 || rest < 0) {
            throw new CaptureException(
                    "is damaged: the block at offset %d claims to have %d octets, expected a multiple of 4, %d to %d"
                            .formatted(start, Integer.toUnsignedLong(totalLength), FRAME_BYTES, MAX_BLOCK_BYTES));
        }
        ByteBuffer body = source.exactly(rest + Integer.BYTES, what).order(order);
        int again = body.getInt(rest);
        if (again != totalLength) {
            throw new CaptureException(
                    "is damaged: the block at offset %d has %d octets at its beginning and %d at its end"
                            .formatted(start, totalLength, Integer.toUnsignedLong(again)));
        }
        return body.limit(rest);
    }

    private void addInterface(long start, ByteBuffer body) throws IOException {
        requireBody(start, "interface description", body.limit(), INTERFACE_BODY_BYTES);
        if (interfaces.size() == MAX_INTERFACES) {
            throw new CaptureException(
                    "has more than %d interfaces in a section, at offset %d".formatted(MAX_INTERFACES, start));
        }
        int resolution = Resolution.DEFAULT.tsresol();
        long offsetSeconds = 0;
        int at = INTERFACE_BODY_BYTES;
        while (at + Integer.BYTES <= body.limit()) {
            int code = unsignedShort(body, at);
            int length = unsignedShort(body, at + Short.BYTES);
            at += Integer.BYTES;
            if (code == OPTION_END || at + length > body.limit()) {
                break;
            }
            if (code == OPTION_TSRESOL && length >= 1) {
                resolution = body.get(at) & 0xFF;
            } else if (code == OPTION_TSOFFSET && length >= Long.BYTES) {
                offsetSeconds = body.getLong(at);
            }
            at += (length + ALIGN_MASK) & ~ALIGN_MASK;
        }
        interfaces.add(new Interface(
                interfaces.size(),
                unsignedShort(body, 0),
                unsignedInt(body, Integer.BYTES),
                new Resolution(resolution, offsetSeconds)));
    }

    private Packet packet(long start, ByteBuffer body, boolean obsolete) throws IOException {
        frame++;
        requireBody(start, "packet", body.limit(), PACKET_BODY_BYTES);
        int id = obsolete ? unsignedShort(body, 0) : body.getInt(0);
        Interface from = interfaceOf(start, id);
        // Not one 64-bit number: the upper word comes first in either byte order.
        long ticks = (long) body.getInt(4) << Integer.SIZE | unsignedInt(body, 8);
        Lengths lengths = new Lengths(PACKET_BODY_BYTES, unsignedInt(body, 12), unsignedInt(body, 16));
        return packet(start, body, lengths, from.resolution().nanos(ticks), from);
    }

    private Packet simplePacket(long start, ByteBuffer body) throws IOException {
        frame++;
        requireBody(start, "packet", body.limit(), SIMPLE_BODY_BYTES);
        Interface from = interfaceOf(start, 0);
        long original = unsignedInt(body, 0);
        long captured = from.snapLength() == 0 ? original : Math.min(original, from.snapLength());
        return packet(start, body, new Lengths(SIMPLE_BODY_BYTES, captured, original), Packet.NO_TIME, from);
    }

    private Packet packet(long start, ByteBuffer body, Lengths lengths, long timeNanos, Interface from)
            throws IOException {
        int offset = lengths.header();
        if (lengths.captured() > body.limit() - offset) {
            throw new CaptureException(
                    "is damaged: frame %d at offset %d claims to have %d octets, its block has room for %d"
                            .formatted(frame, start, lengths.captured(), body.limit() - offset));
        }
        byte[] octets = new byte[(int) lengths.captured()];
        body.get(offset, octets);
        return new Packet(
                frame, timeNanos, from.id(), from.linkType(), octets, Math.max(lengths.captured(), lengths.original()));
    }

    private Interface interfaceOf(long start, int id) throws IOException {
        if (id < 0 || id >= interfaces.size()) {
            throw new CaptureException("is damaged: frame %d at offset %d is from interface %d, of %d"
                    .formatted(frame, start, Integer.toUnsignedLong(id), interfaces.size()));
        }
        return interfaces.get(id);
    }

    private static int unsignedShort(ByteBuffer body, int offset) {
        return Short.toUnsignedInt(body.getShort(offset));
    }

    private static long unsignedInt(ByteBuffer body, int offset) {
        return Integer.toUnsignedLong(body.getInt(offset));
    }

    private static void requireBody(long start, String what, int octets, int needed) throws IOException {
        if (octets < needed) {
            throw new CaptureException("is damaged: the %s at offset %d has %d octets, at least %d are needed"
                    .formatted(what, start, octets, needed));
        }
    }

    /**
     * The unit of an interface's timestamps in a pcapng: if_tsresol and if_tsoffset.
     *
     * @param tsresol the option's octet: 0x80 says that the rest is a power of 2 rather than of 10, negated
     * @param offsetSeconds to be added to each timestamp
     */
    private record Resolution(int tsresol, long offsetSeconds) {
        /** Microseconds, where an interface has no option. */
        static final Resolution DEFAULT = new Resolution(6, 0);

        private static final int BINARY = 0x80;
        private static final int EXPONENT_MASK = 0x7F;
        private static final int NANO_DIGITS = 9;
        private static final int MAX_DIGITS = 18;
        private static final long NANOS_PER_SECOND = 1_000_000_000;

        /** A timestamp of this unit, unsigned, in nanoseconds since 1970; wraps where a long does. */
        long nanos(long ticks) {
            return offsetSeconds * NANOS_PER_SECOND + ((tsresol & BINARY) == 0 ? decimal(ticks) : binary(ticks));
        }

        private long decimal(long ticks) {
            int digits = tsresol & EXPONENT_MASK;
            if (digits <= NANO_DIGITS) {
                return ticks * power(NANO_DIGITS - digits);
            }
            int more = digits - NANO_DIGITS;
            return more > MAX_DIGITS ? 0 : Long.divideUnsigned(ticks, power(more));
        }

        private long binary(long ticks) {
            int shift = tsresol & EXPONENT_MASK;
            long high = Math.unsignedMultiplyHigh(ticks, NANOS_PER_SECOND);
            long low = ticks * NANOS_PER_SECOND;
            if (shift == 0) {
                return low;
            }
            return shift < Long.SIZE ? low >>> shift | high << (Long.SIZE - shift) : high >>> (shift - Long.SIZE);
        }

        private static long power(int digits) {
            return BigInteger.TEN.pow(digits).longValueExact();
        }
    }
}
