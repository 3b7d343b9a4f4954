package org.panamaverbs.ibverbs.device;

import java.util.HexFormat;

/** How identifiers of 64 bits are written. */
final class Guid {
    private Guid() {}

    /** Returns {@code guid} as four groups of four hexadecimal digits. */
    static String text(long guid) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(guid).replaceAll("(.{4})(?=.)", "$1:");
    }
}
