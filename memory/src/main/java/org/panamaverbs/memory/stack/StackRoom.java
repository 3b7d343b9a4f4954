package org.panamaverbs.memory.stack;

/**
 * Room on the stack. What is half-made or half-closed when a {@code StackOverflowError} comes has to be undone, by
 * calls that the same error may end. Whoever begins such a thing asks before, so that the error comes then.
 */
public final class StackRoom {
    // Deeper than what makes or closes an object, also where these frames are compiled and those are not.
    private static final int FRAMES = 400;

    private StackRoom() {}

    /** Throws a {@code StackOverflowError} if the stack ends within the next few hundred frames. */
    public static void require() {
        down(FRAMES);
    }

    private static int down(int left) {
        return left == 0 ? 0 : down(left - 1) + 1;
    }
}
