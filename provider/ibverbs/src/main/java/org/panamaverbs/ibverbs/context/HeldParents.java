package org.panamaverbs.ibverbs.context;

import org.panamaverbs.memory.ManagedResource;

/**
 * Holds the parents of an object open while it is made: closing one of them refuses meanwhile, and names what is being
 * made.
 */
public final class HeldParents implements AutoCloseable {
    private final Child child;

    /**
     * Begins to make an object.
     *
     * @throws IllegalStateException if one of {@code parents} is closed
     */
    public HeldParents(String what, ManagedResource... parents) {
        child = new Child(what + " that is being created", parents);
    }

    /** Does nothing until the end. */
    public void requireOpen() {
        child.requireOpen();
    }

    /** Ends; the object itself is a child of its parents by now, or was not made. */
    @Override
    public void close() {
        child.end();
    }

    private static final class Child extends ManagedResource {
        Child(String name, ManagedResource... parents) {
            super(name, parents);
        }

        void end() {
            abandon();
        }
    }
}
