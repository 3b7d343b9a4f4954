package org.panamaverbs.api;

import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

/**
 * A memory window, {@code struct ibv_mw}: remote access to a part of a registered buffer, given and taken on the data
 * path. Bound by {@link SendQueue#postBind}. The access is taken away by a bind of length 0 or another bind, by closing
 * the window or its buffer, and for type 2 also by a local invalidate or the peer's Send with Invalidate.
 */
public interface MemoryWindow extends AutoCloseable {
    /** The kind of a window. */
    enum Type {
        /** Valid for all queue pairs of the protection domain; cannot be invalidated, neither here nor by a peer. */
        TYPE_1,
        /** Valid only for the queue pair it is bound on; can be invalidated there and by its peer. */
        TYPE_2
    }

    /** Returns the kind of the window. */
    Type type();

    /** Returns the STag of the last bind, as of the post; before the first bind a value that grants nothing. */
    STag stag();

    /**
     * Returns what to advertise of the last bind.
     *
     * @throws IllegalStateException if it was never bound
     */
    RemoteBuffer remote();

    /** Destroys the window and takes the access away. */
    @Override
    void close();
}
