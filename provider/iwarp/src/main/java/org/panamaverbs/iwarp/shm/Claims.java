package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;

/**
 * What one peer accesses now, as its file says: closed with its connection, or, if an access is under way by then, when
 * that is over or the peer is gone; the file also when it has lasted too long. Guarded by the domain.
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
    // The file is closed: only the end of the line, which is the peer's, says that the access is over.
    private boolean fileClosed;
    private int process;

    /**
     * Creates the claims in the file of {@code peer}, which {@code words} read, and whose other end {@code line} has.
     *
     * @param given run once the file is closed here
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
        if (fileClosed) {
            return left;
        }
        long claimed = words.claimed();
        return abandoned && claimed != left ? 0 : claimed;
    }

    /** Tells whether the peer is gone, or has closed its side, and accesses nothing whatever it has claimed. */
    boolean isGone() {
        return line.isPeerGone();
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

    /** Tells whether these were abandoned, and the file still waits for the end of the access. */
    boolean isWaiting() {
        return abandoned && !fileClosed;
    }

    /** Returns how long the access has been waited for. */
    long waitedNanos(long nowNanos) {
        return nowNanos - abandonedNanos;
    }

    /** Closes the file before the access is over: the claim stays as long as the peer keeps its end of the line. */
    void letGo() {
        try {
            process = line.peerUser().process();
        } catch (IOException e) {
            // Then these are none of those that one process is known by.
            process = 0;
        }
        closeFile();
    }

    /** Tells whether these say the same as {@code other}, which was let go as well. */
    boolean repeats(Claims other) {
        return fileClosed && other.fileClosed && left == other.left && process != 0 && process == other.process;
    }

    private void closeFile() {
        if (isWaiting()) {
            fileClosed = true;
            try {
                peer.close();
            } finally {
                given.run();
            }
        }
    }

    @Override
    public void close() {
        if (abandoned) {
            try {
                closeFile();
            } finally {
                line.close();
            }
        }
    }
}
