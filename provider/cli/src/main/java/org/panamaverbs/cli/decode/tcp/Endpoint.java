package org.panamaverbs.cli.decode.tcp;

import org.panamaverbs.api.device.Gid;

/**
 * One end of a connection.
 *
 * @param v6 whether the address is of IPv6
 * @param high upper half of an IPv6 address, otherwise 0
 * @param low lower half of an IPv6 address, or the IPv4 address
 * @param port 0..65535
 */
public record Endpoint(boolean v6, long high, long low, int port) {
    /** As {@code 10.0.0.1:80} or {@code [fe80::1]:80}. */
    @Override
    public String toString() {
        return v6 ? "[" + new Gid(high, low) + "]:" + port : addressV4() + ":" + port;
    }

    private String addressV4() {
        return (low >>> 24 & 0xFF) + "." + (low >>> 16 & 0xFF) + "." + (low >>> 8 & 0xFF) + "." + (low & 0xFF);
    }
}
