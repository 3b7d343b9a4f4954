package org.panamaverbs.iwarp.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What one stream says in place of a pin: which registration it is inside of. Its stores are plain ones, so that an
 * access needs a single full fence of its own: the stream announces, then there is a fence, then it asks whether the
 * registration {@linkplain Region#isEnabled is still enabled}; who revokes does so by a fenced store and then looks at
 * the announcements. One of the two sees the other. Written with the lock of the stream.
 */
final class Announcement {
    private static final VarHandle INSIDE;

    static {
        try {
            INSIDE = MethodHandles.lookup().findVarHandle(Announcement.class, "inside", Region.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Region inside;
    private volatile boolean over;

    /** The stream is about to access {@code region}; a full fence is to follow. */
    void enter(Region region) {
        INSIDE.setOpaque(this, region);
    }

    /** The stream accesses nothing any more; behind all accesses. */
    void leave() {
        INSIDE.setRelease(this, (Region) null);
    }

    /** Tells whether the stream is inside of {@code region}; any thread, behind the revocation of that. */
    boolean isInside(Region region) {
        return inside == region;
    }

    /** The stream announces nothing any more, for ever: its places are others'. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }
}
