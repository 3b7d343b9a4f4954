package org.panamaverbs.cli.decode.capture;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
    private boolean bigEndian;
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
            byte[] type = source.upTo(Integer.BYTES);
            if (type.length == 0) {
                return null;
            }
            if (type.length < Integer.BYTES) {
                throw new CaptureException(
                        "ends at offset %d, within the type of a block".formatted(source.position()));
            }
            int code = Source.intOf(type, 0, bigEndian);
            if (code == SECTION_HEADER) {
                section(start);
                continue;
            }
            byte[] length = source.exactly(Integer.BYTES, "a block's length");
            byte[] body = body(start, Source.intOf(length, 0, bigEndian), "the block at offset " + start, new byte[0]);
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
        byte[] head = source.exactly(2 * Integer.BYTES, "the section header");
        int magic = Source.intOf(head, Integer.BYTES, true);
        if (magic != BYTE_ORDER_MAGIC && Integer.reverseBytes(magic) != BYTE_ORDER_MAGIC) {
            throw new CaptureException("is damaged: the section header at offset %d has no byte-order magic but %08x"
                    .formatted(start, magic));
        }
        bigEndian = magic == BYTE_ORDER_MAGIC;
        byte[] body = body(
                start,
                Source.intOf(head, 0, bigEndian),
                "the section header at offset " + start,
                Arrays.copyOfRange(head, Integer.BYTES, head.length));
        if (body.length < SECTION_BODY_BYTES) {
            throw damaged(start, "section header", body.length, SECTION_BODY_BYTES);
        }
        int major = Source.shortOf(body, Integer.BYTES, bigEndian);
        if (major != 1) {
            throw new CaptureException(
                    "is a pcapng of version %d, at offset %d, expected version 1".formatted(major, start));
        }
        interfaces.clear();
    }

    /** Reads the rest of a block; {@code begun} is what was read of its body already. */
    private byte[] body(long start, int totalLength, String what, byte[] begun) throws IOException {
        int rest = totalLength - FRAME_BYTES - begun.length;
        if (totalLength < FRAME_BYTES || totalLength > MAX_BLOCK_BYTES || (totalLength & ALIGN_MASK) != 0 || rest < 0) {
            throw new CaptureException(
                    "is damaged: the block at offset %d claims to have %d octets, expected a multiple of 4, %d to %d"
                            .formatted(start, Integer.toUnsignedLong(totalLength), FRAME_BYTES, MAX_BLOCK_BYTES));
        }
        byte[] more = source.exactly(rest + Integer.BYTES, what);
        int again = Source.intOf(more, rest, bigEndian);
        if (again != totalLength) {
            throw new CaptureException(
                    "is damaged: the block at offset %d has %d octets at its beginning and %d at its end"
                            .formatted(start, totalLength, Integer.toUnsignedLong(again)));
        }
        byte[] body = Arrays.copyOf(begun, begun.length + rest);
        System.arraycopy(more, 0, body, begun.length, rest);
        return body;
    }

    private void addInterface(long start, byte[] body) throws IOException {
        if (body.length < INTERFACE_BODY_BYTES) {
            throw damaged(start, "interface description", body.length, INTERFACE_BODY_BYTES);
        }
        if (interfaces.size() == MAX_INTERFACES) {
            throw new CaptureException(
                    "has more than %d interfaces in a section, at offset %d".formatted(MAX_INTERFACES, start));
        }
        int resolution = Resolution.DEFAULT.tsresol();
        long offsetSeconds = 0;
        int at = INTERFACE_BODY_BYTES;
        while (at + Integer.BYTES <= body.length) {
            int code = Source.shortOf(body, at, bigEndian);
            int length = Source.shortOf(body, at + Short.BYTES, bigEndian);
            at += Integer.BYTES;
            if (code == OPTION_END || at + length > body.length) {
                break;
            }
            if (code == OPTION_TSRESOL && length >= 1) {
                resolution = body[at] & 0xFF;
            } else if (code == OPTION_TSOFFSET && length >= Long.BYTES) {
                offsetSeconds = longOf(body, at);
            }
            at += (length + ALIGN_MASK) & ~ALIGN_MASK;
        }
        interfaces.add(new Interface(
                interfaces.size(),
                Source.shortOf(body, 0, bigEndian),
                Integer.toUnsignedLong(Source.intOf(body, Integer.BYTES, bigEndian)),
                new Resolution(resolution, offsetSeconds)));
    }

    private Packet packet(long start, byte[] body, boolean obsolete) throws IOException {
        frame++;
        if (body.length < PACKET_BODY_BYTES) {
            throw damaged(start, "packet", body.length, PACKET_BODY_BYTES);
        }
        int id = obsolete ? Source.shortOf(body, 0, bigEndian) : Source.intOf(body, 0, bigEndian);
        Interface from = interfaceOf(start, id);
        // Not one 64-bit number: the upper word comes first in either byte order.
        long ticks = (long) Source.intOf(body, 4, bigEndian) << Integer.SIZE
                | Integer.toUnsignedLong(Source.intOf(body, 8, bigEndian));
        Lengths lengths = new Lengths(
                PACKET_BODY_BYTES,
                Integer.toUnsignedLong(Source.intOf(body, 12, bigEndian)),
                Integer.toUnsignedLong(Source.intOf(body, 16, bigEndian)));
        return packet(start, body, lengths, from.resolution().nanos(ticks), from);
    }

    private Packet simplePacket(long start, byte[] body) throws IOException {
        frame++;
        if (body.length < SIMPLE_BODY_BYTES) {
            throw damaged(start, "packet", body.length, SIMPLE_BODY_BYTES);
        }
        Interface from = interfaceOf(start, 0);
        long original = Integer.toUnsignedLong(Source.intOf(body, 0, bigEndian));
        long captured = from.snapLength() == 0 ? original : Math.min(original, from.snapLength());
        return packet(start, body, new Lengths(SIMPLE_BODY_BYTES, captured, original), Packet.NO_TIME, from);
    }

    private Packet packet(long start, byte[] body, Lengths lengths, long timeNanos, Interface from) throws IOException {
        int offset = lengths.header();
        if (lengths.captured() > body.length - offset) {
            throw new CaptureException(
                    "is damaged: frame %d at offset %d claims to have %d octets, its block has room for %d"
                            .formatted(frame, start, lengths.captured(), body.length - offset));
        }
        byte[] octets = Arrays.copyOfRange(body, offset, offset + (int) lengths.captured());
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

    private long longOf(byte[] octets, int offset) {
        long first = Integer.toUnsignedLong(Source.intOf(octets, offset, bigEndian));
        long second = Integer.toUnsignedLong(Source.intOf(octets, offset + Integer.BYTES, bigEndian));
        return bigEndian ? first << Integer.SIZE | second : second << Integer.SIZE | first;
    }

    private static CaptureException damaged(long start, String what, int octets, int needed) {
        return new CaptureException("is damaged: the %s at offset %d has %d octets, at least %d are needed"
                .formatted(what, start, octets, needed));
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
            long power = 1;
            for (int i = 0; i < digits; i++) {
                power *= 10;
            }
            return power;
        }
    }
}
