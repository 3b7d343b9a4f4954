package org.panamaverbs.memory.stack;

/**
 * Room on the stack. What is half-made or half-closed when a {@code StackOverflowError} comes has to be undone, by
 * calls that the same error may end. Whoever begins such a thing asks before, so that the error comes then.
 */
public final class StackRoom {
    // Deeper than what makes or closes an object, also where these frames are compiled, to 64 octets each, and its own
    // are interpreted. Frames with nothing to keep would be compiled to 16.
    private static final int FRAMES = 256;

    private StackRoom() {}

    /** Throws a {@code StackOverflowError} if the stack ends within the next 16 KiB or so. */
    public static void require() {
        down(FRAMES, FRAMES, 1, 2, 3, 4, 5);
    }

    // The numbers are needed behind the call, so that each frame keeps them.
    private static long down(int left, long a, long b, long c, long d, long e, long f) {
        return left == 0 ? a : down(left - 1, b, c, d, e, f, a) + (a * b ^ c * d ^ e * f);
    }
}
