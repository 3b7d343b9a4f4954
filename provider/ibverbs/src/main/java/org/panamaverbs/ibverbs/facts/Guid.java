package org.panamaverbs.ibverbs.facts;

import java.util.HexFormat;

/** How identifiers of 64 bits are written. */
public final class Guid {
    private Guid() {}

    /** Returns {@code guid} as four groups of four hexadecimal digits. */
    public static String text(long guid) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(guid).replaceAll("(.{4})(?=.)", "$1:");
    }
}
