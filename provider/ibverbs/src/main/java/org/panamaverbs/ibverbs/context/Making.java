package org.panamaverbs.ibverbs.context;

import org.panamaverbs.memory.ManagedResource;

/**
 * Stands for an object that is being made, so that what it is made from cannot be closed meanwhile: closing refuses and
 * names it.
 */
public final class Making extends ManagedResource {
    /**
     * Begins to make an object.
     *
     * @throws IllegalStateException if one of {@code parents} is closed
     */
    public Making(String what, ManagedResource... parents) {
        super(what + " that is being made", parents);
    }

    @Override
    protected void release() {
        // The object itself is a child now, or was not made.
    }
}
