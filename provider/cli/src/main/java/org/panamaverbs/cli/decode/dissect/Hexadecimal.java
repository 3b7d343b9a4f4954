package org.panamaverbs.cli.decode.dissect;

import java.util.HexFormat;

/** Numbers as people read headers. */
public final class Hexadecimal {
    private static final HexFormat HEX = HexFormat.of();

    private Hexadecimal() {}

    static String digits(long value, int digits) {
        return HEX.toHexDigits(value, digits);
    }

    /** An STag, a CRC: {@code 0x0000cafe}. */
    public static String word(int value) {
        return "0x" + digits(value, 8);
    }

    /** Without leading zeros, for lines. */
    public static String brief(long value) {
        return "0x" + Long.toHexString(value);
    }
}
