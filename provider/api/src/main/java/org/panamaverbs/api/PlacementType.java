package org.panamaverbs.api;

import org.panamaverbs.memory.Access;

/** How far a flush brings what was written, {@code enum ibv_placement_type}. */
public enum PlacementType {
    /** All of the peer's host sees it, processors and other adapters ({@code IBV_FLUSH_GLOBAL}). */
    GLOBAL(Access.FLUSH_GLOBAL),
    /** It outlasts a loss of power ({@code IBV_FLUSH_PERSISTENT}), as the peer's memory is persistent. */
    PERSISTENT(Access.FLUSH_PERSISTENT);

    private final Access right;

    PlacementType(Access right) {
        this.right = right;
    }

    /** Returns the right that the peer's registration must grant. */
    public Access right() {
        return right;
    }
}
