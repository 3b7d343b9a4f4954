package org.panamaverbs.api.ext;

/**
 * A rate limit of a queue pair, {@code struct ibv_qp_rate_limit_attr}. Start with {@link #of}.
 *
 * @param kilobitsPerSecond from 0, for no limit, to 2^32-1; {@code Verbs.attributes()} has the device's range
 *     ({@code rate_limit})
 * @param maxBurstBytes bytes sent at once, 0 for the device's choice ({@code max_burst_sz})
 * @param typicalPacketBytes typical packet length, 0 to 65,535 bytes, 0 for the device's choice
 *     ({@code typical_pkt_sz})
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_modify_qp_rate_limit.3.html">ibv_modify_qp_rate_limit(3)</a>
 */
public record RateLimit(long kilobitsPerSecond, long maxBurstBytes, int typicalPacketBytes) {
    /** No limit. */
    public static final RateLimit NONE = of(0);

    private static final long MOST = 0xFFFF_FFFFL;
    private static final int MOST_PACKET = 0xFFFF;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public RateLimit {
        require("kilobitsPerSecond", kilobitsPerSecond, MOST);
        require("maxBurstBytes", maxBurstBytes, MOST);
        require("typicalPacketBytes", typicalPacketBytes, MOST_PACKET);
    }

    private static void require(String name, long value, long most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(name + " must be 0 to " + most + ", got " + value);
        }
    }

    /** Returns a limit of {@code kilobitsPerSecond}, with burst and packet length of the device's choice. */
    public static RateLimit of(long kilobitsPerSecond) {
        return new RateLimit(kilobitsPerSecond, 0, 0);
    }
}
