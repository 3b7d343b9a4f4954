package org.panamaverbs.memory;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The lifecycle of every verbs object: it is created from its parents, such as a queue pair from its domain and
 * completion queues, and must be closed before each of them.
 *
 * <p>A parent with open children refuses to close, names them, and stays usable. It does not keep its children
 * reachable: a child that is lost without {@link #close} is reported by {@link LeakReporter} and still counts as open.
 * Any thread may call any method.
 */
public abstract class ManagedResource implements AutoCloseable {
    private static final int OPEN = 0;
    private static final int CLOSING = 1;
    private static final int CLOSED = 2;
    /** {@link #destroy} has failed: of no use any more, and still to be closed. */
    private static final int UNDESTROYED = 3;

    private static final int NAMED_CHILDREN = 5;

    private final String name;
    private final ManagedResource[] parents;
    private final ChildLink link;
    private final LeakReporter.@Nullable Tracker tracker;

    /** In order of creation; guarded by {@link #link}, created with the first child. */
    private @Nullable Set<ChildLink> children;

    /** Written only under {@link #link}'s monitor or by the one thread that is closing. */
    private volatile int state;

    /**
     * Opens the resource as a child of each parent.
     *
     * <p>If the subclass's constructor fails after this one has returned, also for lack of memory, it must
     * {@link #abandon} the object.
     *
     * @param name the name in messages, with a number or key: {@code "completion queue 3"}
     * @param parents must stay open until this is closed
     * @throws IllegalStateException if a parent is closed; the resource is then a child of none
     */
    // What escapes is a weak reference and a name, neither of which touches the object under construction.
    @SuppressWarnings("this-escape")
    protected ManagedResource(String name, ManagedResource... parents) {
        this.name = name;
        this.parents = parents.clone();
        this.link = new ChildLink(this, name);

        LeakReporter.Tracker tracked = null;
        boolean made = false;
        try {
            for (ManagedResource parent : this.parents) {
                parent.adopt(link);
            }
            tracked = LeakReporter.track(this, name);
            made = true;
        } finally {
            if (!made) {
                disownAll();
            }
        }
        this.tracker = tracked;
    }

    /**
     * Ends a resource that was not fully constructed: it becomes closed and a child of none, without {@link #release}.
     * For the constructor itself, and for a creator that discards the object before any other code has it.
     */
    protected final void abandon() {
        synchronized (link) {
            state = CLOSED;
        }
        if (tracker != null) {
            tracker.closed();
        }
        disownAll();
    }

    private void disownAll() {
        for (int i = parents.length - 1; i >= 0; i--) {
            parents[i].disown(link);
        }
    }

    /** Returns the name in messages. */
    public final String resourceName() {
        return name;
    }

    /** Returns whether {@link #close} has not begun. */
    public final boolean isOpen() {
        return state == OPEN;
    }

    /**
     * Checks that the resource is open, by one volatile read.
     *
     * @throws IllegalStateException if it is closing or closed, naming it
     */
    public final void requireOpen() {
        if (state != OPEN) {
            throw closedException();
        }
    }

    /**
     * Closes the resource. Closing again, also while another thread is closing it, does nothing.
     *
     * <p>If the native object cannot be destroyed, the exception gives the reason. The resource is unusable from then
     * on, its parents stay open, and its memory stays valid, since it may still be accessed; closing again retries.
     *
     * @throws IllegalStateException if children are open (the message names up to five, in the order to close them) or
     *     the resource is otherwise in use; it stays open
     */
    @Override
    public final void close() {
        closeLeft();
        if (!beginClose()) {
            return;
        }
        boolean destroyed = false;
        try {
            destroy();
            destroyed = true;
        } finally {
            if (!destroyed) {
                state = UNDESTROYED;
            }
        }
        try {
            if (tracker != null) {
                tracker.closed();
            }
            release();
        } finally {
            state = CLOSED;
            disownAll();
        }
    }

    /**
     * Closes the resource for a caller that cannot retry. If that fails, also for lack of memory, its parents close it
     * before they close themselves.
     *
     * @throws IllegalStateException as {@link #close}
     */
    protected final void closeOrLeave() {
        link.left = this;
        close();
    }

    /**
     * Destroys the native object, and ends what must end before. {@link #close} calls this once no child is open;
     * {@link #isOpen} is already false. If it throws, a further close calls it again: completed steps must tolerate
     * repetition.
     */
    protected void destroy() {
        // Many have nothing of the kind.
    }

    /**
     * Frees what the resource holds and nothing accesses any more. Called once, after {@link #destroy}. If it throws,
     * the resource is closed nevertheless, and the exception reaches the caller of {@link #close}.
     */
    protected void release() {
        // Many hold nothing of the kind.
    }

    /**
     * Returns why the resource cannot be closed now although no child is open, null if it can. {@link #close} calls
     * this with the resource locked against new children: do not block. After null the resource closes for certain, so
     * an implementation may stop its service before it returns null.
     */
    protected @Nullable String closeRefusal() {
        return null;
    }

    /**
     * Returns a hint for closing the resource before its parent, such as that it will close by itself; null for none.
     * Part of the message of a parent that refuses to close: any thread may call this; do not block.
     */
    protected @Nullable String remark() {
        return null;
    }

    /** Returns the name, with the state unless open. */
    @Override
    public String toString() {
        return switch (state) {
            case OPEN -> name;
            case UNDESTROYED -> name + " (could not be closed)";
            default -> name + " (closed)";
        };
    }

    /** Closes the children that were left to their parents: each, also where another cannot be closed. */
    private void closeLeft() {
        Resources left = left();
        if (left != null) {
            left.closeAsIs();
        }
    }

    /**
     * Returns the children that were left, to be closed in the reversed order of their making; null if there are none.
     */
    private @Nullable Resources left() {
        synchronized (link) {
            Resources found = null;
            if (children != null && state == OPEN) {
                for (ChildLink child : children) {
                    ManagedResource its = child.left;
                    if (its != null) {
                        found = found == null ? new Resources() : found;
                        found.add(its);
                    }
                }
            }
            return found;
        }
    }

    private boolean beginClose() {
        synchronized (link) {
            if (state != OPEN && state != UNDESTROYED) {
                return false;
            }
            if (children != null && !children.isEmpty()) {
                throw openChildren(children);
            }
            String refusal = closeRefusal();
            if (refusal != null) {
                throw new IllegalStateException("Cannot close " + name + ": " + refusal);
            }
            state = CLOSING;
            return true;
        }
    }

    private void adopt(ChildLink child) {
        synchronized (link) {
            if (state != OPEN) {
                throw new IllegalStateException("Cannot create " + child.name + ": " + name + " is closed");
            }
            if (children == null) {
                children = new LinkedHashSet<>();
            }
            children.add(child);
        }
    }

    private void disown(ChildLink child) {
        synchronized (link) {
            if (children != null) {
                children.remove(child);
            }
        }
    }

    private IllegalStateException openChildren(Set<ChildLink> open) {
        // What was made last may need what was made before it, never the other way round.
        List<ChildLink> newestFirst = new ArrayList<>(open).reversed();
        StringJoiner names = new StringJoiner(", ");
        newestFirst.stream().limit(NAMED_CHILDREN).forEach(child -> names.add(child.toString()));
        if (newestFirst.size() > NAMED_CHILDREN) {
            names.add((newestFirst.size() - NAMED_CHILDREN) + " more");
        }
        String message = String.format(
                "Cannot close %s: %d open resource%s must be closed first, in this order: %s",
                name, open.size(), open.size() == 1 ? "" : "s", names);
        List<@Nullable ManagedResource> children = new ArrayList<>();
        newestFirst.forEach(child -> children.add(child.get()));
        return new OpenChildrenException(message, children);
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(name
                + switch (state) {
                    case CLOSING -> " is being closed";
                    case UNDESTROYED -> " could not be closed; remedy: close it again";
                    default -> " is closed";
                });
    }

    /** What a parent knows of a child; also the monitor of the child's own state. */
    private static final class ChildLink extends WeakReference<ManagedResource> {
        private final String name;

        /** The child itself, once nobody else can close it. */
        private volatile @Nullable ManagedResource left;

        ChildLink(ManagedResource child, String name) {
            super(child);
            this.name = name;
        }

        @Override
        public String toString() {
            ManagedResource child = get();
            if (child == null) {
                return name + " (lost without being closed)";
            }
            String remark = child.remark();
            return remark == null ? name : name + " (" + remark + ")";
        }
    }
}
