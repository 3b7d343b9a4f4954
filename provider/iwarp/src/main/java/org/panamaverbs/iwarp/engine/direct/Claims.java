package org.panamaverbs.iwarp.engine.direct;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.ring.ReachWords;

/**
 * What one peer accesses now, as its file says: closed with its connection, or, if an access is under way by then, when
 * that is over, the peer is gone, or it has lasted too long. Guarded by the domain.
 */
final class Claims implements AutoCloseable {
    private final ReachWords words;
    private final SealedFile peer;
    private final UnixSocket line;
    private final Runnable given;
    private boolean abandoned;
    // Of claims that were abandoned: the access that was under way, and since when it is waited for.
    private long left;
    private long abandonedNanos;
    // File and line are closed: only the end of the peer's process says that the access is over.
    private boolean closed;
    private int process;
    private @Nullable ProcessHandle handle;

    /**
     * Creates the claims in the file of {@code peer}, which {@code words} read, and whose other end {@code line} has.
     *
     * @param given run once file and line are closed here
     */
    Claims(ReachWords words, SealedFile peer, UnixSocket line, Runnable given) {
        this.words = words;
        this.peer = peer;
        this.line = line;
        this.given = given;
    }

    /**
     * Returns what the peer accesses now, 0 for nothing. Once these are abandoned, the peer begins nothing new: it is
     * the access that was under way then, or nothing, whatever the peer stores later.
     */
    long current() {
        if (closed) {
            return left;
        }
        long claimed = words.claimed();
        return abandoned && claimed != left ? 0 : claimed;
    }

    /** Tells whether the peer is gone, and accesses nothing whatever it has claimed. */
    boolean isGone() {
        if (!closed) {
            return line.isPeerGone();
        }
        ProcessHandle its = handle;
        return its == null ? process != 0 : !its.isAlive();
    }

    /** The connection ends before access {@code name} does: file and line are closed with these claims. */
    void abandon(long name, long nowNanos) {
        abandoned = true;
        left = name;
        abandonedNanos = nowNanos;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /** Tells whether these were abandoned, and file and line still wait for the end of the access. */
    boolean isWaiting() {
        return abandoned && !closed;
    }

    /** Returns how long the access has been waited for. */
    long waitedNanos(long nowNanos) {
        return nowNanos - abandonedNanos;
    }

    /** Closes file and line before the access is over: the claim stays until the peer's process ends. */
    void letGo() {
        try {
            process = line.peerUser().process();
            handle = ProcessHandle.of(process).orElse(null);
        } catch (IOException | RuntimeException e) {
            // Nobody knows when the peer ends.
            process = 0;
        }
        close();
    }

    /** Tells whether these say the same as {@code other}, which was let go as well. */
    boolean repeats(Claims other) {
        return closed
                && other.closed
                && left == other.left
                && process == other.process
                && Objects.equals(handle, other.handle);
    }

    @Override
    public void close() {
        if (isWaiting()) {
            closed = true;
            try {
                peer.close();
            } finally {
                try {
                    line.close();
                } finally {
                    given.run();
                }
            }
        }
    }
}
