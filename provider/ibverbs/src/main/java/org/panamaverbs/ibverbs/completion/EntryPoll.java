package org.panamaverbs.ibverbs.completion;

/**
 * Takes completions off a native queue into entries of the form that ibv_poll_cq(3) fills. Under the queue's gate.
 *
 * <p>What was taken off comes only once. So how many entries it has filled is noted until they were all handed on. A
 * poll behind which memory ended is {@link #interrupted}: its entries from {@link #taken} to {@link #filled} are taken
 * before anything else is asked of the queue.
 */
abstract class EntryPoll {
    /** How many entries were filled; 0 is stored by whoever has taken them all. */
    int filled;

    /** How many entries of those that an interrupted poll filled were taken. */
    int taken;

    /** How many entries of those that the last poll filled were counted: each is once, even if it is taken again. */
    int counted;

    /**
     * Fills entries of {@code into} from the first on; no poll is interrupted.
     *
     * @param most how many at most, from 1 to the array's capacity
     * @return how many were filled; an error number negated, or another negative one, if the queue cannot be polled
     */
    abstract int poll(WcArray into, int most);

    /** Tells whether what the last poll filled was not taken. */
    final boolean interrupted() {
        return filled != 0;
    }
}
