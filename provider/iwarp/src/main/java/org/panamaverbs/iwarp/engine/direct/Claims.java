package org.panamaverbs.iwarp.engine.direct;

import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.ring.ReachWords;

/**
 * What one peer accesses now, as its file says: closed with its connection, or, if an access is under way by then, when
 * that is over or the peer is gone. Guarded by the domain.
 */
final class Claims implements AutoCloseable {
    private final ReachWords words;
    private final SealedFile peer;
    private final UnixSocket line;
    private boolean abandoned;

    /**
     * Creates the claims in the file of {@code peer}, which {@code words} read, and whose other end {@code line} has.
     */
    Claims(ReachWords words, SealedFile peer, UnixSocket line) {
        this.words = words;
        this.peer = peer;
        this.line = line;
    }

    /** Returns what the peer accesses now, 0 for nothing. */
    long current() {
        return words.claimed();
    }

    /** Tells whether the peer is gone, and accesses nothing whatever it has claimed. */
    boolean isGone() {
        return line.isPeerGone();
    }

    /** Tells whether the peer accesses nothing. */
    boolean isIdle() {
        return current() == 0 || isGone();
    }

    /** The connection ends before the access does: file and line are closed with these claims. */
    void abandon() {
        abandoned = true;
    }

    /** Tells whether these were abandoned, and nothing is accessed any more. */
    boolean isOver() {
        return abandoned && isIdle();
    }

    @Override
    public void close() {
        if (abandoned) {
            try {
                peer.close();
            } finally {
                line.close();
            }
        }
    }
}
