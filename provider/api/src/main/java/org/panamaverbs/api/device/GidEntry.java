package org.panamaverbs.api.device;

import org.panamaverbs.api.AddressHandleConfig;

/**
 * An entry of a port's GID table, {@code struct ibv_gid_entry}.
 *
 * @param index its index in the table, from 0; for {@link AddressHandleConfig#gidIndex}
 * @param gid the GID
 * @param type its protocol; on RoCE the same GID has an entry for each version
 * @param networkDevice the network interface of the GID, for example {@code eth0}; empty if there is none or it is
 *     unknown
 */
public record GidEntry(int index, Gid gid, Type type, String networkDevice) {
    /** The protocol of a GID, {@code enum ibv_gid_type}. */
    public enum Type {
        /**
         * InfiniBand; drivers report it for iWARP as well, where the GID starts with the interface's hardware address.
         */
        IB,
        /** RoCE v1: EtherType 0x8915, within one network segment. */
        ROCE_V1,
        /** RoCE v2: UDP port 4791. */
        ROCE_V2,
        /** A type unknown to this API. */
        OTHER
    }
}
