package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;

/**
 * The queue pair's own receive queue as the application sees it. Past the end of a stream what is posted is flushed at
 * once.
 */
public final class ReceiveCommands {
    private final @Nullable ReceiveRing ring;
    private final StreamConfig config;
    private final Completions completions;
    private StreamState state = StreamState.IDLE;

    public ReceiveCommands(@Nullable ReceiveRing ring, StreamConfig config, Completions completions) {
        this.ring = ring;
        this.config = config;
        this.completions = completions;
    }

    /** Posts a receive with one piece; answers a {@link PostStatus}. */
    public int post(long wrId, long address, long length, int lkey) {
        return posted(ring().post(wrId, address, length, lkey));
    }

    /** Posts a scattering receive; answers a {@link PostStatus}. */
    public int post(long wrId, SgList list) {
        return posted(ring().post(wrId, list));
    }

    /**
     * Posts {@code count} receives of {@code list} from {@code first} on; answers how many were taken, or a
     * {@link PostStatus} if none was.
     */
    public int post(ReceiveList list, int first, int count) {
        int taken = ring().post(list, first, count);
        if (taken > 0) {
            posted(PostStatus.ACCEPTED);
        }
        return taken;
    }

    private ReceiveRing ring() {
        ReceiveRing own = ring;
        if (own == null) {
            throw shared();
        }
        return own;
    }

    private IllegalStateException shared() {
        return new IllegalStateException(
                "queue pair " + config.qpNumber() + " uses a shared receive queue; remedy: post its receives there");
    }

    private int posted(int status) {
        if (status == PostStatus.ACCEPTED && state.flushesReceives()) {
            completions.flushReceives();
        }
        return status;
    }

    /** Hears of the stream's state. */
    public void onState(StreamState newState) {
        state = newState;
    }
}
