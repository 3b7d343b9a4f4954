package org.panamaverbs.iwarp.engine;

import java.util.Arrays;

/**
 * Who has used up receives of a shared receive queue that the application has not replaced yet (RFC 5042 §6.4.3.1).
 * Each receive that is posted replaces the one that was used up longest ago. Guarded by the queue's lock.
 *
 * <p>The queue alone knows what was posted and taken, by its two ends: {@link #update} follows it.
 */
final class ReceiveShares {
    /** What one stream has used up. */
    public static final class Share {
        private final int queuePair;
        private int used;

        public Share(int queuePair) {
            this.queuePair = queuePair;
        }
    }

    private final int capacity;
    private final int percent;
    private final Share[] users;
    private final int mask;
    private long oldest;
    private long newest;
    // How many receives there are, used up or not.
    private int population;

    /** Creates the shares of a queue of {@code capacity} receives, of which a stream may use up {@code percent}. */
    public ReceiveShares(int capacity, int percent) {
        this.capacity = capacity;
        this.percent = percent;
        users = new Share[Integer.highestOneBit(Math.max(1, capacity) * 2 - 1)];
        mask = users.length - 1;
        Arrays.fill(users, new Share(0));
    }

    /**
     * Moves what is used up to {@code other}, which is new, and counts on there. Of more than that holds, what was used
     * up longest ago counts as replaced. The queue is followed.
     */
    public void moveTo(ReceiveShares other) {
        int available = population - (int) (newest - oldest);
        other.population = Math.min(population, other.capacity);
        other.newest = newest;
        other.oldest = Math.max(oldest, newest - (other.population - available));
        for (long at = oldest; at != other.oldest; at++) {
            users[(int) at & mask].used--;
        }
        for (long at = other.oldest; at != newest; at++) {
            other.users[(int) at & other.mask] = users[(int) at & mask];
        }
        oldest = other.oldest;
    }

    /** Tells whether {@code share} may grow. */
    public boolean allows(Share share) {
        return share.used < Math.max(1, (int) ((long) population * percent / 100));
    }

    /**
     * Follows the queue, of which {@code taken} receives were taken so far and {@code available} are left. To be called
     * before each taking, when the queue is fullest, and before what is said of it.
     */
    public void update(long taken, int available) {
        if (population < available) {
            population = available;
        }
        while (newest != taken) {
            users[(int) newest & mask].used++;
            newest++;
        }
        long replaced = taken + available - population;
        while (oldest != replaced) {
            users[(int) oldest & mask].used--;
            oldest++;
        }
    }

    /** Has the next receive that is taken be used up for {@code share}; the queue is followed, and not empty. */
    public void next(Share share) {
        users[(int) newest & mask] = share;
    }

    /** Names the queue pair that has used up most, for people. */
    public String greatest() {
        Share greatest = null;
        for (long at = oldest; at != newest; at++) {
            Share user = users[(int) at & mask];
            if (greatest == null || user.used > greatest.used) {
                greatest = user;
            }
        }
        return greatest == null
                ? "no receives are in use"
                : "queue pair " + greatest.queuePair + " holds " + greatest.used + " of " + (newest - oldest)
                        + " receives in use";
    }
}
