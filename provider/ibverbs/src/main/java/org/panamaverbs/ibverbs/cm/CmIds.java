package org.panamaverbs.ibverbs.cm;

import org.jspecify.annotations.Nullable;

/** The ids of a channel by their native addresses. Finding and removing one needs no memory. Any thread. */
final class CmIds {
    private static final int LEAST = 16;

    // Guarded by this: chains of ids, a power of two.
    private @Nullable CmId[] chains = new CmId[LEAST];
    private int count;

    synchronized void add(CmId id) {
        if (count == chains.length) {
            grow();
        }
        link(chains, id);
        count++;
    }

    /** Returns the id at {@code address}, null if it is not here. */
    @Nullable
    synchronized CmId find(long address) {
        CmId id = chains[index(chains, address)];
        while (id != null && id.address() != address) {
            id = id.nextInChain;
        }
        return id;
    }

    /** Removes {@code id}, which may not be here. */
    synchronized void remove(CmId id) {
        int index = index(chains, id.address());
        CmId before = null;
        CmId at = chains[index];
        while (at != null && at != id) {
            before = at;
            at = at.nextInChain;
        }
        if (at == null) {
            return;
        }
        if (before == null) {
            chains[index] = id.nextInChain;
        } else {
            before.nextInChain = id.nextInChain;
        }
        id.nextInChain = null;
        count--;
    }

    private void grow() {
        @Nullable CmId[] larger = new CmId[2 * chains.length];
        for (CmId each : chains) {
            for (CmId id = each; id != null; ) {
                CmId next = id.nextInChain;
                link(larger, id);
                id = next;
            }
        }
        chains = larger;
    }

    private static void link(@Nullable CmId[] chains, CmId id) {
        int index = index(chains, id.address());
        id.nextInChain = chains[index];
        chains[index] = id;
    }

    private static int index(@Nullable CmId[] chains, long address) {
        int hash = Long.hashCode(address >>> 4); // malloc's alignment
        return (hash ^ hash >>> 16) & chains.length - 1;
    }
}
