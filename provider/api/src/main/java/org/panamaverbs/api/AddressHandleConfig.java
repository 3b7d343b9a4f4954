package org.panamaverbs.api;

/**
 * Where a datagram goes, {@code struct ibv_ah_attr}.
 *
 * @param gid the destination's 16-octet GID, empty for a local route by LID alone
 * @param lid the destination's LID, 0 on Ethernet
 * @param gidIndex the index of the own GID
 * @param port the port, from 1
 * @param serviceLevel 0 to 15
 * @param flowLabel 20 bits
 * @param hopLimit 0 to 255
 * @param trafficClass 0 to 255
 * @param staticRate {@code enum ibv_rate}, 0 for the port's own
 */
// The array is copied on the way in and out.
@SuppressWarnings("ArrayRecordComponent")
public record AddressHandleConfig(
        byte[] gid,
        int lid,
        int gidIndex,
        int port,
        int serviceLevel,
        int flowLabel,
        int hopLimit,
        int trafficClass,
        int staticRate) {
    /** Checks the lengths. */
    public AddressHandleConfig {
        if (gid.length != 0 && gid.length != 16) {
            throw new IllegalArgumentException("a GID has 16 octets, got " + gid.length);
        }
        gid = gid.clone();
    }

    /** Returns a copy of the destination's GID. */
    @Override
    public byte[] gid() {
        return gid.clone();
    }
}
