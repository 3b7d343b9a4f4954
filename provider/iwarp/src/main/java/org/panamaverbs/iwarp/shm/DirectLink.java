package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;

/**
 * What two sides of a connection that share rings reach of each other's memory. The Unix connection of the set-up stays
 * open: each side sends the table of its domain there when the peer asks for it, and so each slab. Its end says that
 * the peer is gone. Belongs to the holder of the stream's lock.
 */
public final class DirectLink implements AutoCloseable {
    // The system refuses descriptors for a while, or the peer takes nothing for ever.
    private static final int MOST_TRIES = 64;

    private final DirectDomains domains;
    private final ReachWords words;
    private final UnixSocket line;
    private final Claims claims;
    private @Nullable DirectDomain own;
    private @Nullable PeerRegions regions;
    // Of the queue pair: its number, and what it grants its peer.
    private int self;
    private int granted;
    private long served;
    // The domain counts on the claims.
    private boolean joined;
    private boolean dismissed;
    // Of what is wanted now: so often it could not be sent.
    private int tries;
    private boolean left;
    private boolean kept;

    /**
     * Makes a link, whose own {@code line} is from now on.
     *
     * @param peer the peer's file, which {@code words} are in; the caller's to close, unless {@link #keepsFile}
     * @param given run when the peer's file is closed by the domain, on any thread
     */
    public DirectLink(DirectDomains domains, ReachWords words, SealedFile peer, UnixSocket line, Runnable given) {
        this.domains = domains;
        this.words = words;
        this.line = line;
        claims = new Claims(words, peer, line, given);
    }

    /**
     * Lets the peer of queue pair {@code queuePair} at memory of the domain {@code number}, once it asks, for what
     * {@code rights} say, none for 0, and returns the peer's that this side reaches; null if nothing of this domain can
     * be reached, or the peer has closed its end of the line: then neither is anything of the other.
     */
    public @Nullable PeerMemory reach(int number, int queuePair, int rights) {
        DirectDomain domain = domains.find(number);
        if (domain == null || line.isPeerGone()) {
            line.close();
            return null;
        }
        if (rights != 0) {
            own = domain;
            self = queuePair;
            granted = rights;
        }
        PeerRegions reached = new PeerRegions(line, words);
        regions = reached;
        return reached;
    }

    /** Tells whether the peer has closed its end of the line: during the set-up, since it lets nobody in. */
    public boolean isDeclined() {
        return line.isPeerGone();
    }

    /** All is done with what was received. */
    public void placed() {
        words.publishPlaced();
    }

    /**
     * Bytes were received: the peer may have asked for a slab before. Tells whether something was sent, which the peer
     * is to be woken for: until it takes that, the system counts the descriptor as one on its way.
     */
    public boolean serve() {
        long wanted = words.wanted();
        // What is asked for before this side has a domain is served then.
        if (wanted == served || own == null || left || dismissed) {
            return false;
        }
        boolean sent = send(wanted);
        if (sent || ++tries >= MOST_TRIES) {
            served = wanted;
            tries = 0;
        }
        return sent;
    }

    /** Sends what is wanted, if it is here; false if it cannot be sent now. */
    private boolean send(long wanted) {
        DirectDomain domain = own;
        try {
            if (domain == null) {
                return true;
            }
            join(domain);
            return TableLayout.wantsTable(wanted)
                    ? domain.sendTable(line)
                    : domain.sendSlab((int) wanted & TableLayout.SLABS - 1, granted, line);
        } catch (IOException | OutOfMemoryError e) {
            // The peer is gone, or takes nothing, or there is no memory for a table: it goes on by messages. The line
            // stays: its end would say that this
            // side is gone, which may be in the middle of an access.
            return false;
        }
    }

    /** Counts on the claims of the peer, and lets it in: before it gets anything, and never where it does not ask. */
    private void join(DirectDomain domain) {
        if (!joined) {
            domain.join(claims);
            joined = true;
            if (!dismissed) {
                words.admit(self, granted);
            }
        }
    }

    /** Takes what the peer has sent, and lets go of what it has taken away meanwhile: called now and then. */
    public void lookAround() {
        PeerRegions reached = regions;
        if (reached != null) {
            reached.lookAround();
        }
    }

    /** The peer has rung, as it does behind each file that it sends: the next look takes that. */
    public void rung() {
        PeerRegions reached = regions;
        if (reached != null) {
            reached.rung();
        }
    }

    /** Returns which access the peer is in although the memory was taken away, by a name; 0 for none. */
    public long overdue() {
        DirectDomain domain = own;
        return domain == null || !joined || left ? 0 : domain.overdue(claims);
    }

    /** Lets the peer in no longer; what it does now it may go on with. */
    public void dismiss() {
        dismissed = true;
        if (!left) {
            words.dismiss();
        }
    }

    /** Tells, once this is closed, whether the peer's file is closed later, by the domain. */
    public boolean keepsFile() {
        return kept;
    }

    /**
     * Lets the peer in no longer, and unmaps its memory. If it is in the middle of an access, what tells of its end is
     * kept until then. Can be repeated.
     */
    @Override
    public void close() {
        leave();
        try {
            PeerRegions reached = regions;
            if (reached != null) {
                reached.close();
            }
        } finally {
            if (!kept) {
                line.close();
            }
        }
    }

    /**
     * As {@link #close}, but leaves the line open for another connection of the two processes, if nothing was asked for
     * and so nothing can be on its way. Can be repeated.
     *
     * @return the line, which is the caller's from then on; null if it is closed
     */
    public @Nullable UnixSocket closeButLine() {
        // What the peer asked for and got counts, though its word says by now that it asked for nothing.
        boolean unused = line.isOpen() && !joined && served == 0 && !words.areAsked();
        leave();
        if (unused && !kept) {
            PeerRegions reached = regions;
            if (reached != null) {
                reached.end();
            }
            return line;
        }
        close();
        return null;
    }

    private void leave() {
        if (left) {
            return;
        }
        dismiss();
        DirectDomain domain = own;
        kept = domain != null && joined && !domain.leave(claims);
        left = true;
    }
}
