package org.panamaverbs.api;

import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/**
 * A port of an open device: where the device is on the fabric. Each call asks anew, so that two calls may see two
 * states. Nothing is to be closed; once the device is closed, a call that has to ask its library throws
 * {@link IllegalStateException}. Safe for use by any thread; not for the data path.
 *
 * <p>Not every port has tables: {@link PortAttributes#gidTableLength()} and {@link PortAttributes#pkeyTableLength()}
 * are 0 then, and what is asked of the table throws {@link UnsupportedOperationException}. The provider iwarp has
 * neither.
 */
public interface Port {
    /** Returns its number, from 1. */
    int number();

    /**
     * Returns its state and attributes as they are now ({@code ibv_query_port(3)}).
     *
     * @throws ResourceException if the port cannot be asked, for example since the device is gone
     */
    PortAttributes query();

    /**
     * Returns the IP addresses that peers reach it by: on RoCE those among its GIDs, on iWARP those of its network
     * interface. Each stands there once, in no certain order; none on InfiniBand.
     *
     * @throws ResourceException if the port cannot be asked
     */
    List<InetAddress> addresses();

    /**
     * Returns the entries of its GID table ({@code ibv_query_gid_table(3)}) by ascending index. Slots that are empty
     * are left out: the place in the list is not the index.
     *
     * @throws ResourceException if the port cannot be asked
     * @throws UnsupportedOperationException if it has no such table
     */
    List<GidEntry> gids();

    /**
     * Returns the entry {@code index} of its GID table ({@code ibv_query_gid_ex(3)}); empty if the slot is.
     *
     * @throws IllegalArgumentException unless the index is from 0 up to {@link PortAttributes#gidTableLength()} - 1
     * @throws ResourceException if the port cannot be asked
     * @throws UnsupportedOperationException if it has no such table
     */
    Optional<GidEntry> gid(int index);

    /**
     * Returns the index of {@code gid} with {@code type} in its GID table, the lowest if it stands there more than
     * once; empty if it does not. For the own address on RoCE v2: {@code gidIndex(Gid.of(address), ROCE_V2)}.
     *
     * @throws ResourceException if the port cannot be asked
     * @throws UnsupportedOperationException if it has no such table
     */
    default OptionalInt gidIndex(Gid gid, GidEntry.Type type) {
        return gids().stream()
                .filter(entry -> entry.type() == type && entry.gid().equals(gid))
                .mapToInt(GidEntry::index)
                .min();
    }

    /**
     * Returns what it has counted since its device was made, by the kernel's names ({@code counters} and
     * {@code hw_counters} in sysfs, {@code rdma statistic}), for example {@code rcvd_pkts} and {@code rcvd_rnr_err}.
     * For people and monitoring. What the device does not keep is left out; empty where nothing is counted.
     */
    default SortedMap<String, Long> counters() {
        return Collections.emptySortedMap();
    }

    /**
     * Returns its partition keys ({@code ibv_query_pkey(3)}) as a new array, each 0 to 65535. The place in the array is
     * the index, for {@link QueuePairAttributes.Field#PKEY_INDEX}; a slot that is empty has 0.
     *
     * @throws ResourceException if the port cannot be asked
     * @throws UnsupportedOperationException if it has no such table
     */
    int[] pkeys();

    /**
     * Returns the partition key {@code index}, 0 to 65535; 0 if the slot is empty.
     *
     * @throws IllegalArgumentException unless the index is from 0 up to {@link PortAttributes#pkeyTableLength()} - 1
     * @throws ResourceException if the port cannot be asked
     * @throws UnsupportedOperationException if it has no such table
     */
    int pkey(int index);

    /**
     * Returns the index of {@code pkey}, all 16 bits of it, in the table ({@code ibv_get_pkey_index(3)}): the lowest if
     * it stands there more than once; empty if it does not.
     *
     * @throws ResourceException if the port cannot be asked
     * @throws UnsupportedOperationException if it has no such table
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
