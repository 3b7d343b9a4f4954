package org.panamaverbs.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says that a parent does not close, as what was made from it is open. */
final class OpenChildrenException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** The open children; null in the place of one that was lost. */
    private final transient List<? extends @Nullable AutoCloseable> children;

    OpenChildrenException(String message, List<? extends @Nullable AutoCloseable> children) {
        super(message);
        this.children = children;
    }

    /** Returns whether each open child is one of {@code failed}: then this says nothing that is not known. */
    boolean followsFrom(List<AutoCloseable> failed) {
        for (AutoCloseable child : children) {
            if (child == null || !failed.contains(child)) {
                return false;
            }
        }
        return true;
    }
}
