package org.panamaverbs.api;

/**
 * An entry of a port's GID table, {@code struct ibv_gid_entry}.
 *
 * @param index its index in the table, from 0; for {@link AddressHandleConfig#gidIndex}
 * @param gid the GID
 * @param type what is spoken with it; on RoCE the same GID stands once for each version
 * @param networkDevice the name of the network interface that the GID belongs to, for example {@code eth0}; empty where
 *     there is none or its name is not known
 */
public record GidEntry(int index, Gid gid, Type type, String networkDevice) {
    /** What is spoken with a GID, {@code enum ibv_gid_type}. */
    public enum Type {
        /** InfiniBand; drivers say it of iWARP as well, where a GID starts with the interface's hardware address. */
        IB,
        /** RoCE v1: Ethernet's type 0x8915, within one network segment. */
        ROCE_V1,
        /** RoCE v2: over UDP port 4791. */
        ROCE_V2,
        /** A later one than this API knows. */
        OTHER
    }
}
