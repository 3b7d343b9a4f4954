package org.panamaverbs.api.ext;

import org.panamaverbs.memory.Access;

/** How far a flush moves written data, {@code enum ibv_placement_type}. */
public enum PlacementType {
    /** Visible to the peer's whole host, processors and other adapters ({@code IBV_FLUSH_GLOBAL}). */
    GLOBAL(Access.FLUSH_GLOBAL),
    /** Survives a loss of power, in persistent memory of the peer ({@code IBV_FLUSH_PERSISTENT}). */
    PERSISTENT(Access.FLUSH_PERSISTENT);

    private final Access right;

    PlacementType(Access right) {
        this.right = right;
    }

    /** Returns the right that the peer's memory region must grant. */
    public Access right() {
        return right;
    }
}
