package org.panamaverbs.iwarp.engine.objects;

import java.util.Arrays;

/**
 * Who has used up receives of a shared receive queue that the application has not replaced yet (RFC 5042 §6.4.3.1).
 * Each receive that is posted replaces the one that was used up longest ago. Guarded by the queue's lock.
 */
public final class ReceiveShares {
    /** What one stream has used up. */
    public static final class Share {
        private final int queuePair;
        private int used;

        public Share(int queuePair) {
            this.queuePair = queuePair;
        }
    }

    private final int percent;
    private final Share[] users;
    private final int mask;
    private long oldest;
    private long newest;
    // How many receives there are, used up or not.
    private int population;

    /** Creates the shares of a queue of {@code capacity} receives, of which a stream may use up {@code percent}. */
    public ReceiveShares(int capacity, int percent) {
        this.percent = percent;
        users = new Share[Integer.highestOneBit(Math.max(1, capacity) * 2 - 1)];
        mask = users.length - 1;
        Arrays.fill(users, new Share(0));
    }

    /** Tells whether {@code share} may grow. */
    public boolean allows(Share share) {
        return share.used < Math.max(1, (int) ((long) population * percent / 100));
    }

    /** A receive was used up for {@code share}. */
    public void used(Share share) {
        users[(int) newest++ & mask] = share;
        share.used++;
    }

    /** A receive was posted. */
    public void posted() {
        if (oldest == newest) {
            population++;
        } else {
            users[(int) oldest++ & mask].used--;
        }
    }

    /** So many receives were posted, none if {@code count} is negative. */
    public void posted(int count) {
        for (int i = 0; i < count; i++) {
            posted();
        }
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
        // No operator, as where this is said.
        return greatest == null
                ? "none is used up"
                : "of "
                        .concat(Long.toString(newest - oldest))
                        .concat(" used up queue pair ")
                        .concat(Integer.toString(greatest.queuePair))
                        .concat(" has ")
                        .concat(Integer.toString(greatest.used));
    }
}
