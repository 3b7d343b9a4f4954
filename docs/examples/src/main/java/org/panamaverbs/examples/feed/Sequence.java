package org.panamaverbs.examples.feed;

/** The numbers of a feed as one subscriber has them: which comes next, and what was missed. */
final class Sequence {
    private long next;
    private long gaps;
    private long missed;

    /** Returns the number of the update that is to be taken next; all before it were. */
    long next() {
        return next;
    }

    /** Returns how many gaps there were. */
    long gaps() {
        return gaps;
    }

    /** Returns how many updates were missed, in all gaps together. */
    long missed() {
        return missed;
    }

    /**
     * Notes that {@code number} has come; returns how many updates in front of it have not, 0 for none or an old one.
     */
    long missingBefore(long number) {
        long missing = Math.max(0, number - next);
        if (missing > 0) {
            gaps++;
            missed += missing;
        }
        return missing;
    }

    /** Takes {@code number} if its turn has come; returns false for one that was taken before. */
    boolean take(long number) {
        if (number > next) {
            throw new IllegalStateException("update " + number + " came before " + next);
        }
        if (number < next) {
            return false;
        }
        next++;
        return true;
    }
}
