package org.panamaverbs.iwarp.engine.context;

/**
 * Room on the stack. A {@code StackOverflowError} between taking a lock and giving it back could come in the call that
 * gives it back, and nobody else would have the lock ever again. Who takes a lock asks before, so that the error comes
 * then; what is done under the lock may still overflow, deeper, and leaves room for the way back.
 */
public final class StackRoom {
    // Deeper than any way from where a lock is taken to where it is given back.
    private static final int FRAMES = 16;

    private StackRoom() {}

    /** Throws a {@code StackOverflowError} if the stack ends within the next few frames. Allocates nothing else. */
    public static void require() {
        down(FRAMES);
    }

    private static int down(int left) {
        return left == 0 ? 0 : down(left - 1) + 1;
    }
}
