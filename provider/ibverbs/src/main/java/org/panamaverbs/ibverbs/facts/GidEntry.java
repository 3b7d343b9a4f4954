package org.panamaverbs.ibverbs.facts;

import java.util.Locale;

/**
 * An entry of a port's GID table.
 *
 * @param index its index
 * @param prefix the first 8 octets, in network order
 * @param interfaceId the last 8 octets, in network order
 * @param type {@code enum ibv_gid_type}: 0 InfiniBand (also iWARP), 1 RoCE v1, 2 RoCE v2
 */
public record GidEntry(int index, long prefix, long interfaceId, int type) {
    /** {@code IBV_GID_TYPE_ROCE_V2}. */
    public static final int ROCE_V2 = 2;

    private static final int GROUPS = 8;
    private static final int GROUPS_OF_LONG = 4;
    private static final int GROUP_MASK = 0xffff;
    private static final long IPV4_MAPPED = 0xffff;

    boolean isEmpty() {
        return prefix == 0 && interfaceId == 0;
    }

    /** Returns the first 6 octets, on iWARP the interface's hardware address. */
    long hardwareAddress() {
        return prefix >>> Short.SIZE;
    }

    /** Returns the GID as {@code inet_ntop(3)} writes an IPv6 address. */
    public String asAddress() {
        if (prefix == 0 && interfaceId >>> Integer.SIZE == IPV4_MAPPED) {
            return String.format(
                    Locale.ROOT,
                    "::ffff:%d.%d.%d.%d",
                    interfaceId >>> 24 & 0xff,
                    interfaceId >>> 16 & 0xff,
                    interfaceId >>> 8 & 0xff,
                    interfaceId & 0xff);
        }
        int gap = -1;
        int gapLength = 1;
        for (int start = 0; start < GROUPS; start++) {
            int length = zeroGroups(start);
            // RFC 5952 §4.2: the longest run of at least two zero groups is left out, the first of equal ones.
            if (length > gapLength) {
                gap = start;
                gapLength = length;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                text.append("::");
                i += gapLength - 1;
            } else {
                boolean separated = i > 0 && text.charAt(text.length() - 1) != ':';
                text.append(separated ? ":" : "").append(Integer.toHexString(group(i)));
            }
        }
        return text.toString();
    }

    /** Returns the GID as eight groups of four hexadecimal digits. */
    public String asGroups() {
        return Guid.text(prefix) + ":" + Guid.text(interfaceId);
    }

    private int zeroGroups(int start) {
        int end = start;
        while (end < GROUPS && group(end) == 0) {
            end++;
        }
        return end - start;
    }

    private int group(int i) {
        long half = i < GROUPS_OF_LONG ? prefix : interfaceId;
        return (int) (half >>> (Short.SIZE * (GROUPS_OF_LONG - 1 - (i % GROUPS_OF_LONG)))) & GROUP_MASK;
    }
}
