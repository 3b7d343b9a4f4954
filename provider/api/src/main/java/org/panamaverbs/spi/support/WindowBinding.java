package org.panamaverbs.spi.support;

import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * The binding of a memory window, as of the bind that was posted last.
 *
 * @param rkey the window's rkey from that bind on
 * @param taggedOffset the remote address of the first byte
 * @param length bytes; 0 if unbound, negative if the window was never bound
 * @param access the rights of peers, mask of {@link Access#bit}
 */
public record WindowBinding(int rkey, long taggedOffset, long length, int access) {
    private static final int REMOTE_RIGHTS =
            Access.REMOTE_READ.bit() | Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    /** Returns the binding of a window with rkey {@code stag} that was never bound. */
    public static WindowBinding none(int rkey) {
        return new WindowBinding(rkey, 0, -1, 0);
    }

    /** Returns the same binding under rkey {@code newStag}. */
    public WindowBinding under(int newStag) {
        return new WindowBinding(newStag, taggedOffset, length, access);
    }

    /** Returns an unbound binding under rkey {@code newStag}. */
    public WindowBinding emptied(int newStag) {
        return new WindowBinding(newStag, taggedOffset, 0, access);
    }

    /**
     * Returns the remote buffer for the peer, for {@link MemoryWindow#remote}.
     *
     * @param window for the message
     * @throws IllegalStateException if the window is closed or was never bound
     */
    public RemoteBuffer remote(ManagedResource window) {
        window.requireOpen();
        if (length < 0) {
            throw new IllegalStateException(window.resourceName() + " was never bound");
        }
        return RemoteBuffer.of(rkey, taggedOffset, length, access & REMOTE_RIGHTS);
    }

    /**
     * Does nothing if {@code access} is rights of peers alone.
     *
     * @throws IllegalArgumentException otherwise
     */
    static void requireRemote(int access) {
        int others = access & ~REMOTE_RIGHTS;
        if (others != 0) {
            throw new IllegalArgumentException(
                    "a memory window grants remote rights only, got " + Access.format(others));
        }
    }
}
