package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.memory.Access;

/** Work requests that never leave this side: binding and invalidating memory windows. */
final class LocalOperations {
    /** What came of an operation. */
    public enum Outcome {
        /** Done. */
        DONE,
        /** Somebody is still inside the window: try again. */
        BUSY,
        /** Refused. */
        REFUSED
    }

    private static final int REMOTE_RIGHTS = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    private final StagTable stags;
    private final Protection protection;
    private final StreamConfig config;

    public LocalOperations(StagTable stags, Protection protection, StreamConfig config) {
        this.stags = stags;
        this.protection = protection;
        this.config = config;
    }

    /**
     * Binds {@code window} to {@code length} octets at {@code address} of the memory under {@code lkey}; length 0
     * unbinds.
     */
    public Outcome bind(
            @Nullable Region window,
            int newStag,
            int lkey,
            long address,
            long length,
            int access,
            boolean streamScoped) {
        boolean ours = window != null && window.isWindow() && window.isOf(config.domainId());
        if (window == null || !ours || (access & ~REMOTE_RIGHTS) != 0 || !protection.revoke(window)) {
            return Outcome.REFUSED;
        }
        if (length == 0) {
            return window.bind(newStag, null, 0, 0, 0, 0) ? Outcome.DONE : Outcome.BUSY;
        }
        return bindEntered(window, newStag, lkey, address, length, access, streamScoped ? config.qpNumber() : 0);
    }

    private Outcome bindEntered(
            Region window, int newStag, int lkey, long address, long length, int access, int scopeQpNumber) {
        if (protection.enter(lkey, address, length, Access.MEMORY_WINDOW_BIND) != AccessCheck.OK) {
            return Outcome.REFUSED;
        }
        try {
            Region memory = protection.region();
            boolean writes = Access.REMOTE_WRITE.in(access) || Access.REMOTE_ATOMIC.in(access);
            if (memory.isWindow() || (writes && !memory.allows(Access.LOCAL_WRITE))) {
                return Outcome.REFUSED;
            }
            return window.bind(newStag, memory, address, length, access, scopeQpNumber) ? Outcome.DONE : Outcome.BUSY;
        } finally {
            protection.leave();
        }
    }

    /**
     * Invalidates {@code stag}, which must be a window bound on this stream alone; false if it is not. The peer may
     * still be {@linkplain #isLingering inside} by itself, unless it has asked for it: that comes behind its accesses.
     */
    public boolean invalidate(int stag) {
        // Only this stream gets into such a window, and it is not inside now: revocation is complete at once.
        return protection.invalidate(stag);
    }

    /** Tells whether the peer is still inside the window under {@code stag}, which was invalidated. */
    public boolean isLingering(int stag) {
        Region region = stags.find(stag);
        return region != null && region.isLingering();
    }
}
