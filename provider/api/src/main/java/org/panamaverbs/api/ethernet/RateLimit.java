package org.panamaverbs.api.ethernet;

/**
 * How fast a queue pair may send, {@code struct ibv_qp_rate_limit_attr}. Start with {@link #of}.
 *
 * @param kilobitsPerSecond 0 for no limit, to 2^32-1; what the device can is in {@code Verbs.attributes()}
 * @param maxBurstBytes bytes that may leave at once, 0 for the device's own choice
 * @param typicalPacketBytes bytes of a usual packet, 0 to 65535, 0 for the device's own choice
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
     * @throws IllegalArgumentException if a number is beyond its range
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

    /** Returns a limit of so many kilobits a second, with burst and packet as the device chooses. */
    public static RateLimit of(long kilobitsPerSecond) {
        return new RateLimit(kilobitsPerSecond, 0, 0);
    }
}
