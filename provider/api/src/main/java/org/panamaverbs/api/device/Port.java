package org.panamaverbs.api.device;

import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.ResourceException;

/**
 * A port of an open device. Each call queries the device: two calls may see two states. It needs no closing; once the
 * device is closed, calls that query its library throw {@link IllegalStateException}. Any thread may call any method;
 * not for the data path.
 *
 * <p>A port without tables has {@link PortAttributes#gidTableLength()} and {@link PortAttributes#pkeyTableLength()} of
 * 0 and throws {@link UnsupportedOperationException} for them. Ports of the provider iwarp have neither table.
 */
public interface Port {
    /** Returns the number, from 1. */
    int number();

    /**
     * Returns the current state and attributes: {@code ibv_query_port(3)}.
     *
     * @throws ResourceException if the port cannot be queried, for example because the device is gone
     */
    PortAttributes query();

    /**
     * Returns the IP addresses through which peers reach the port: on RoCE those among its GIDs, on iWARP those of its
     * network interface; none on InfiniBand. Each is listed once, in no particular order.
     *
     * @throws ResourceException if the port cannot be queried
     */
    List<InetAddress> addresses();

    /**
     * Returns the entries of the GID table by ascending index: {@code ibv_query_gid_table(3)}. Empty entries are
     * omitted: the position in the list is not the index.
     *
     * @throws ResourceException if the port cannot be queried
     * @throws UnsupportedOperationException if there is no GID table
     */
    List<GidEntry> gids();

    /**
     * Returns entry {@code index} of the GID table: {@code ibv_query_gid_ex(3)}. Empty if the entry is.
     *
     * @param index from 0 to {@link PortAttributes#gidTableLength()} - 1
     * @throws IllegalArgumentException if {@code index} is out of range
     * @throws ResourceException if the port cannot be queried
     * @throws UnsupportedOperationException if there is no GID table
     */
    Optional<GidEntry> gid(int index);

    /**
     * Returns the lowest index of {@code gid} with {@code type} in the GID table; empty if there is none. For a local
     * address on RoCE v2: {@code gidIndex(Gid.of(address), ROCE_V2)}.
     *
     * @throws ResourceException if the port cannot be queried
     * @throws UnsupportedOperationException if there is no GID table
     */
    default OptionalInt gidIndex(Gid gid, GidEntry.Type type) {
        return gids().stream()
                .filter(entry -> entry.type() == type && entry.gid().equals(gid))
                .mapToInt(GidEntry::index)
                .min();
    }

    /**
     * Returns the port's hardware counters under the kernel's names ({@code counters} and {@code hw_counters} in sysfs,
     * {@code rdma statistic}), for example {@code rcvd_pkts} and {@code rcvd_rnr_err}. For people and monitoring; empty
     * if nothing is counted.
     */
    default SortedMap<String, Long> counters() {
        return Collections.emptySortedMap();
    }

    /**
     * Returns the P_Keys, each 0 to 65,535, as a new array: {@code ibv_query_pkey(3)}. The position is the index for
     * {@link QueuePairAttributes.Field#PKEY_INDEX}; empty entries are 0.
     *
     * @throws ResourceException if the port cannot be queried
     * @throws UnsupportedOperationException if there is no P_Key table
     */
    int[] pkeys();

    /**
     * Returns P_Key {@code index}, 0 to 65,535; 0 if the entry is empty.
     *
     * @param index from 0 to {@link PortAttributes#pkeyTableLength()} - 1
     * @throws IllegalArgumentException if {@code index} is out of range
     * @throws ResourceException if the port cannot be queried
     * @throws UnsupportedOperationException if there is no P_Key table
     */
    int pkey(int index);

    /**
     * Returns the lowest index of {@code pkey}, all 16 bits, in the table: {@code ibv_get_pkey_index(3)}. Empty if
     * there is none.
     *
     * @throws ResourceException if the port cannot be queried
     * @throws UnsupportedOperationException if there is no P_Key table
     */
    default OptionalInt pkeyIndex(int pkey) {
        int[] keys = pkeys();
        for (int index = 0; index < keys.length; index++) {
            if (keys[index] == pkey) {
                return OptionalInt.of(index);
            }
        }
        return OptionalInt.empty();
    }
}
