package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmOffer;

/**
 * Rings of connections that have ended, each kept for a second with its Unix connection, for the next connection of the
 * same two contexts. That connection proves who the other side is, as it did when it was made, so nobody else can be
 * given the rings; its end closes them. Any thread.
 *
 * <p>Each side keeps its half for itself. A half is used again only when both sides have said that they are done with
 * the stream before, so nobody reads or writes any more of it: the initiator looks whether the responder has, and the
 * responder answers only for what it keeps.
 */
final class KeptRings implements LoopHandler, AutoCloseable {
    /** The most that are kept: no more are, until one of them is taken or closed. */
    static final int MOST = 8;

    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** So long behind the proof of who the other side is that is believed, however often the rings are used. */
    static final long PROOF_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * Whose rings they are.
     *
     * @param id the token of the first Offer, by which an initiator names them
     * @param listener where the initiator has connected to, null for the responder
     * @param wish what the connection wanted of shared memory
     * @param provedNanos when the other side began to prove who it is, by {@link System#nanoTime}
     */
    record Owner(Octets id, @Nullable InetSocketAddress listener, SharedMemoryOptions wish, long provedNanos) {}

    /** The rings of a connection that has ended, with the Unix connection. Belongs to one thread at a time. */
    static final class Kept implements AutoCloseable {
        final Owner owner;
        final SharedRings memory;
        final UnixSocket line;
        private final long untilNanos;
        // Maybe not all of it: it is of no use any more.
        private boolean ended;

        Kept(Owner owner, SharedRings memory, UnixSocket line, long untilNanos) {
            this.owner = owner;
            this.memory = memory;
            this.line = line;
            this.untilNanos = untilNanos;
        }

        private boolean isDue(long now) {
            return now - untilNanos >= 0;
        }

        /** Tells whether {@code token} has come over the Unix connection; what else has, ends it. */
        private boolean shows(Octets token) {
            ByteBuffer shown = ByteBuffer.allocate(ShmOffer.NAME_BYTES);
            try {
                return line.receive(shown) == ShmOffer.NAME_BYTES
                        && MessageDigest.isEqual(shown.array(), token.toByteArray());
            } catch (IOException e) {
                return false;
            }
        }

        /** Closes files and line, each though another cannot be closed; can be repeated. */
        @Override
        public void close() {
            ended = true;
            try (memory) {
                line.close();
            }
        }
    }

    private final LoopTimer timer = new LoopTimer();
    private final EventLoop loop;
    // Oldest first; guarded by this, as the next one and the last.
    private final List<Kept> all = new ArrayList<>(2 * MOST);
    private boolean timed;
    private volatile long dueNanos;
    private boolean closed;

    KeptRings(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Keeps the rings of a stream that has ended here, and says so to the peer; false if this is closed or full, or the
     * proof is too old. They belong to this until somebody takes them; to the caller still, if it fails or does not.
     */
    boolean keep(Owner owner, SharedRings memory, UnixSocket line) {
        long now = System.nanoTime();
        long believed = owner.provedNanos() + PROOF_NANOS - now;
        if (believed <= 0) {
            return false;
        }
        Kept kept = new Kept(owner, memory, line, now + Math.min(KEPT_NANOS, believed));
        synchronized (this) {
            if (closed || all.size() >= MOST) {
                return false;
            }
            if (!timed) {
                startTimer(kept.untilNanos);
            }
            // From here on nothing fails: else they would be the caller's as well.
            all.add(kept);
            memory.release();
        }
        return true;
    }

    /**
     * Takes what is kept for another connection to {@code listener} that wants {@code wish}, and shows {@code token} to
     * its other side; null if nothing is, or the other side is not done with it.
     */
    @Nullable
    Kept take(InetSocketAddress listener, SharedMemoryOptions wish, Octets token) {
        return usable(
                kept -> listener.equals(kept.owner.listener())
                        && wish.equals(kept.owner.wish())
                        && kept.memory.isReleasedByPeer(),
                kept -> !kept.line.isPeerGone() && show(kept, token));
    }

    private static boolean show(Kept kept, Octets token) {
        ByteBuffer shown = ByteBuffer.wrap(token.toByteArray());
        try {
            return kept.line.send(shown) == ShmOffer.NAME_BYTES;
        } catch (IOException e) {
            return false;
        }
    }

    /** Takes what is kept by {@code id} for a peer that has shown {@code token}; null if nothing is. */
    @Nullable
    Kept take(Octets id, Octets token) {
        return usable(
                kept -> kept.owner.listener() == null && id.equals(kept.owner.id()),
                kept -> !kept.line.isPeerGone() && kept.shows(token));
    }

    /** Takes what {@code fits} if the token is {@code shown}; else, and if it fails, what fits is closed. */
    private @Nullable Kept usable(Predicate<Kept> fits, Predicate<Kept> shown) {
        long now = System.nanoTime();
        Kept found = remove(kept -> !kept.ended && !kept.isDue(now) && fits.test(kept));
        boolean usable = false;
        try {
            usable = found != null && shown.test(found);
            return usable ? found : null;
        } finally {
            if (found != null && !usable) {
                close(found);
            }
        }
    }

    /** Takes the youngest that fits: it is in the caches. */
    private synchronized @Nullable Kept remove(Predicate<Kept> fits) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (fits.test(all.get(i))) {
                return all.remove(i);
            }
        }
        return null;
    }

    // ---- their end ------------------------------------------------------------------------------------------------

    @Override
    public void timeout(long now) {
        loop.unwatch(this);
        closeAll(kept -> kept.isDue(now));
        synchronized (this) {
            timed = false;
            if (!all.isEmpty()) {
                startTimer(all.getFirst().untilNanos);
            }
        }
    }

    private void startTimer(long nanos) {
        dueNanos = nanos;
        loop.watch(this);
        timed = true;
    }

    /** Closes all rings that match {@code fits}; if some cannot be closed, they stay, with the rest. */
    private void closeAll(Predicate<Kept> fits) {
        for (Kept one = remove(fits); one != null; one = remove(fits)) {
            close(one);
        }
    }

    private void close(Kept one) {
        boolean done = false;
        try {
            one.close();
            done = true;
        } finally {
            if (!done) {
                putBack(one);
            }
        }
    }

    private synchronized void putBack(Kept one) {
        all.addFirst(one);
    }

    /** Closes what is kept, and keeps nothing any more. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        loop.unwatch(this);
        closeAll(kept -> true);
    }

    @Override
    public LoopTimer timer() {
        return timer;
    }

    @Override
    public long deadlineNanos() {
        return dueNanos;
    }

    @Override
    public void failed(Throwable cause) {
        synchronized (this) {
            startTimer(System.nanoTime() + KEPT_NANOS);
        }
    }

    @Override
    public void ready(Watch readyWatch, long now) {
        // It has no channel.
    }
}
