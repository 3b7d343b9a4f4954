package org.panamaverbs.iwarp.wire;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Layouts shared by all headers: network byte order, any alignment. */
final class Wire {
    /** An octet. */
    public static final ValueLayout.OfByte OCTET = ValueLayout.JAVA_BYTE;

    /** Two octets. */
    public static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Four octets. */
    public static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Eight octets. */
    public static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** The CRC: it goes out as in iSCSI, the octet with the low bits of the register first (RFC 5044 §4.4). */
    public static final ValueLayout.OfInt CRC = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Wire() {}
}
