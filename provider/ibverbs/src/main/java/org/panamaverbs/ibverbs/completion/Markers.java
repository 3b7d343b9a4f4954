package org.panamaverbs.ibverbs.completion;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The markers of one completion queue: empty requests of ours, each posted behind what an application posted to tell
 * when that has completed. Applications never see them.
 *
 * <p>Each has a number of its own, so that the queue pairs of a completion queue are drained without each other, and a
 * marker that nobody waits for any more says nothing of a later one. A marker takes an entry of the queue when it
 * completes. There are as many at a time as the queue has entries that no request of the application can need: what the
 * attached queue pairs can have outstanding leaves the rest, and one entry is ours in any case. A marker holds its
 * entry until its completion is seen or its queue pair is closed or reset, even if nobody waits for it.
 *
 * <p>May be used by any thread.
 */
public final class Markers {
    // The upper half of the ids is random, the lower half counts: no application has one by accident.
    private static final int NUMBER_BITS = 32;
    private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;
    private static final long TAG = ThreadLocalRandom.current().nextInt();

    /**
     * The id of the first message that stands in for a ready-to-receive message of the driver's: the number that no
     * marker has.
     */
    public static final long READY = TAG << NUMBER_BITS;

    private static final AtomicLong ISSUED = new AtomicLong(1);

    // Guarded by this.
    private final Map<Long, Marker> out = new HashMap<>();
    private final Map<Long, User> users = new HashMap<>();
    private long needed;

    /** What a user that is attached can have outstanding. */
    private static final class User {
        int times;
        int completions;
    }

    /** One that may be posted. */
    static final class Marker {
        private final long id;
        private final long owner;
        private boolean succeeded; // written before done
        private volatile boolean done;

        private Marker(long id, long owner) {
            this.id = id;
            this.owner = owner;
        }

        /** Returns the marker's work request id. */
        long id() {
            return id;
        }

        /** Returns how the wait for it ends now; {@code failed} says whether its queue pair has. */
        Drained outcome(boolean failed) {
            if (done) {
                return succeeded ? Drained.DONE : Drained.FAILED;
            }
            return failed ? Drained.FAILED : Drained.LATE;
        }

        /** Tells whether its completion was seen, or its queue pair was closed or reset. */
        boolean isDone() {
            return done;
        }
    }

    /** Tells whether {@code wrId} can be a marker's: cheap, for each completion. {@link #completed} says for sure. */
    static boolean looksLikeOne(long wrId) {
        return wrId >> NUMBER_BITS == TAG;
    }

    /**
     * Counts the {@code completions} that {@code user}, a receive queue that queue pairs share or one queue pair's
     * queue, can have outstanding; users and owners are native addresses. A user that is attached several times counts
     * once.
     */
    public synchronized void attach(Long user, int completions) {
        User its = users.computeIfAbsent(user, unknown -> new User());
        if (its.times++ == 0) {
            its.completions = completions;
            needed += completions;
        }
    }

    /** Has {@code user} be one that can have {@code completions} outstanding from now on, if it is attached. */
    public synchronized void resize(Long user, int completions) {
        User its = users.get(user);
        if (its != null) {
            needed += completions - its.completions;
            its.completions = completions;
        }
    }

    /** Takes an {@link #attach} back, if there was one; returns whether {@code user} is not attached any more. */
    public synchronized boolean detach(Long user) {
        User its = users.get(user);
        if (its != null && --its.times > 0) {
            return false;
        }
        if (its != null) {
            users.remove(user);
            needed -= its.completions;
        }
        return true;
    }

    /**
     * Takes a marker for {@code owner}.
     *
     * @param entries that the queue has
     * @param capacity what the application was told it has
     * @return the marker, to be posted or given {@link #back}; null if there is no room for it now
     */
    synchronized @Nullable Marker take(long owner, int entries, int capacity) {
        long room = entries - Math.min(needed, capacity);
        if (out.size() >= Math.max(1, room)) {
            return null;
        }
        Marker marker = new Marker((TAG << NUMBER_BITS) | (ISSUED.getAndIncrement() & NUMBER_MASK), owner);
        out.put(marker.id, marker);
        return marker;
    }

    /** Takes {@code marker} back, which was not posted. */
    synchronized void back(Marker marker) {
        out.remove(marker.id);
    }

    /** Takes note of the completion with the id {@code wrId}; returns false if that is an application's. */
    synchronized boolean completed(long wrId, boolean success) {
        Marker marker = out.remove(wrId);
        if (marker != null) {
            marker.succeeded = success;
            marker.done = true;
            return true;
        }
        // Of a queue pair that is closed, or the ready-to-receive message that failed; or an application's, by an
        // accident like no other.
        return (wrId & NUMBER_MASK) < ISSUED.get();
    }

    /** Forgets the markers of {@code owner}, which is closed or was reset. */
    public synchronized void forget(long owner) {
        if (out.isEmpty()) {
            return;
        }
        out.values().removeIf(marker -> {
            boolean its = marker.owner == owner;
            marker.done |= its;
            return its;
        });
    }
}
