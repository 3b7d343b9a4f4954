package org.panamaverbs.api;

import org.panamaverbs.memory.RemoteBuffer;

/**
 * A memory window, {@code struct ibv_mw}: remote access to a part of a registered buffer, granted by
 * {@link SendQueue#bind} and revoked on the data path. Access ends with a bind of length 0 or another bind, when the
 * window or its buffer is closed, and for type 2 also with a local invalidate or the peer's Send with Invalidate.
 */
public interface MemoryWindow extends AutoCloseable {
    /** The kind of a window. */
    enum Type {
        /** Valid for all queue pairs of the protection domain; cannot be invalidated. */
        TYPE_1,
        /** Valid only for the queue pair on which it was bound; either side can invalidate it. */
        TYPE_2
    }

    /** Returns the kind of the window. */
    Type type();

    /**
     * Returns the rkey (an STag in iWARP) of the last bind, as soon as that is posted; before the first bind a value
     * that grants nothing.
     */
    int rkey();

    /**
     * Returns the address, length, rkey and rights of the last bind, to be sent to the peer.
     *
     * @throws IllegalStateException if the window was never bound
     */
    RemoteBuffer remote();

    /** Destroys the window and revokes access: {@code ibv_dealloc_mw(3)}. */
    @Override
    void close();
}
