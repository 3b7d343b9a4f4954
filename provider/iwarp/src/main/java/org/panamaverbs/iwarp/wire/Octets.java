package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable run of octets with value equality; for the cold values of this package, never for payload. */
public final class Octets {
    /** No octets. */
    public static final Octets EMPTY = new Octets(new byte[0]);

    private final byte[] bytes;

    private Octets(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes a copy of {@code bytes}. */
    public static Octets of(byte... bytes) {
        return bytes.length == 0 ? EMPTY : new Octets(bytes.clone());
    }

    /** Takes a copy of {@code length} octets of {@code segment} from {@code offset}. */
    public static Octets copyOf(MemorySegment segment, long offset, int length) {
        if (length == 0) {
            return EMPTY;
        }
        byte[] copy = new byte[length];
        MemorySegment.copy(segment, Wire.OCTET, offset, copy, 0, length);
        return new Octets(copy);
    }

    /** Number of octets. */
    public int size() {
        return bytes.length;
    }

    /** True when there are none. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** The octet at {@code index}, 0..255. */
    public int at(int index) {
        return bytes[index] & 0xFF;
    }

    /** A fresh copy of the octets. */
    public byte[] toByteArray() {
        return bytes.clone();
    }

    /** A read-only view of the octets. */
    public MemorySegment asSegment() {
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    /** Copies the octets into {@code target}, from {@code offset} on. */
    public void copyTo(byte[] target, int offset) {
        System.arraycopy(bytes, 0, target, offset, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Octets that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /**
     * Returns the octets in quotes if they are text of one line or more in ASCII, such as {@code "GET / HTTP/1.1\r\n"};
     * empty if one of them is something else, or there are none. Quotes, backslashes and the ends of lines are escaped,
     * so that nobody can forge a line of a log.
     */
    public String quoted() {
        StringBuilder text = new StringBuilder("\"");
        for (byte octet : bytes) {
            switch (octet) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '"', '\\' -> text.append('\\').append((char) octet);
                default -> {
                    if (octet < ' ' || octet > '~') {
                        return "";
                    }
                    text.append((char) octet);
                }
            }
        }
        return bytes.length == 0 ? "" : text.append('"').toString();
    }

    /** Lower-case hexadecimal, two digits per octet. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
