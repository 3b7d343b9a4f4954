package org.panamaverbs.sockets.rsocket;

import java.lang.foreign.MemorySegment;

/**
 * What may be sent and where it goes: credits, and the entries that the peer has written into this side's table.
 *
 * <p>Order of calls: {@link #granted} for each message SGL; {@link #sendable}, then, if something is, {@link #address}
 * and {@link #key}, and {@link #sent} for what was posted.
 */
final class Outbound {
    private static final int U16 = 0xffff;

    /** Bytes of one message at most, as C has it; what C takes is bounded by its buffers alone. */
    private static final int MOST = 1 << 20;

    private final TargetTable table;

    /** Credits that are left unused, for what the receives of a peer must take that needs no credit. */
    private final int reserve;

    // The entries that were taken out of the table; a length of 0 has none.
    private final long[] addresses = new long[TargetTable.ENTRIES];
    private final int[] keys = new int[TargetTable.ENTRIES];
    private final int[] lengths = new int[TargetTable.ENTRIES];

    /** The entry that is filled now. */
    private int current;

    /** The entry that the peer writes next. */
    private int next = 1;

    /** Messages sent that took a credit, and the limit of those, modulo 2^16. */
    private int sequence;

    private int limit;

    /** How far ahead a limit may be. */
    private final int most;

    Outbound(ConnectData peer, MemorySegment table, boolean bigEndian, int reserve) {
        this.table = new TargetTable(table, bigEndian);
        this.reserve = Math.min(reserve, peer.credits() / 2);
        addresses[0] = peer.bufferAddress();
        keys[0] = peer.bufferKey();
        lengths[0] = peer.bufferBytes();
        limit = peer.credits();
        most = Math.max(limit, Short.MAX_VALUE);
    }

    /** Takes a message SGL with {@code newLimit}, 0 to 65,535, and the entry that came with it, if one did. */
    Fault granted(int newLimit) {
        // A limit is at most the peer's credits ahead: one that is more has gone back behind what was sent.
        if (ahead(newLimit) < ahead(limit) || ahead(newLimit) > most) {
            return Fault.LIMIT_LOWERED;
        }
        limit = newLimit;
        int length = table.length(next);
        if (length == 0) {
            return Fault.NONE;
        }
        if (lengths[next] != 0) {
            return Fault.ENTRY_IN_USE;
        }
        long address = table.address(next);
        if (length < 0 || address == 0 || ConnectData.wraps(address, length)) {
            return Fault.BAD_ENTRY;
        }
        addresses[next] = address;
        keys[next] = table.key(next);
        lengths[next] = length;
        table.take(next);
        next = 1 - next;
        return Fault.NONE;
    }

    private int ahead(int some) {
        return (some - sequence) & U16;
    }

    /** Returns how many of {@code wanted} bytes may go as one message now, 0 if none may. */
    int sendable(int wanted) {
        return hasCredit() ? Math.min(Math.min(wanted, MOST), lengths[current]) : 0;
    }

    /** Tells whether a message may go that takes a credit. */
    boolean hasCredit() {
        return ahead(limit) > reserve;
    }

    /** Returns where the next bytes go, in the peer's memory. */
    long address() {
        return addresses[current];
    }

    /** Returns the key of that memory. */
    int key() {
        return keys[current];
    }

    /** Counts a message of {@code bytes} bytes, which were {@link #sendable}. */
    void sent(int bytes) {
        addresses[current] += bytes;
        lengths[current] -= bytes;
        if (lengths[current] == 0) {
            current = 1 - current;
        }
        sentMessage();
    }

    /** Counts a message that takes a credit. */
    void sentMessage() {
        sequence = (sequence + 1) & U16;
    }
}
