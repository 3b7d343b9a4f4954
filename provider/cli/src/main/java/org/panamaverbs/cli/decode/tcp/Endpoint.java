package org.panamaverbs.cli.decode.tcp;

import java.util.StringJoiner;

/**
 * One end of a connection.
 *
 * @param v6 whether the address is of IPv6
 * @param high upper half of an IPv6 address, otherwise 0
 * @param low lower half of an IPv6 address, or the IPv4 address
 * @param port 0..65535
 */
public record Endpoint(boolean v6, long high, long low, int port) {
    private static final int GROUPS = 8;
    private static final int GROUP_BITS = 16;
    private static final int GROUP_MASK = 0xFFFF;

    /** As {@code 10.0.0.1:80} or {@code [fe80::1]:80}. */
    @Override
    public String toString() {
        return v6 ? "[" + addressV6() + "]:" + port : addressV4() + ":" + port;
    }

    private String addressV4() {
        return (low >>> 24 & 0xFF) + "." + (low >>> 16 & 0xFF) + "." + (low >>> 8 & 0xFF) + "." + (low & 0xFF);
    }

    // RFC 5952 §4.2: the longest run of two or more zero groups, the first of equals, becomes "::".
    private String addressV6() {
        int from = 0;
        int to = 0;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && group(end) == 0) {
                end++;
            }
            if (end - i > Math.max(1, to - from)) {
                from = i;
                to = end;
            }
        }
        return to == 0 ? groups(0, GROUPS) : groups(0, from) + "::" + groups(to, GROUPS);
    }

    private String groups(int from, int to) {
        StringJoiner joiner = new StringJoiner(":");
        for (int i = from; i < to; i++) {
            joiner.add(Integer.toHexString(group(i)));
        }
        return joiner.toString();
    }

    private int group(int index) {
        long half = index < GROUPS / 2 ? high : low;
        int behind = GROUPS / 2 - 1 - index % (GROUPS / 2);
        return (int) (half >>> (behind * GROUP_BITS)) & GROUP_MASK;
    }
}
