package org.panamaverbs.testkit.random;

import java.util.SplittableRandom;

/** Random numbers that depend only on the seed. */
public final class SeededRandom {
    private final long seed;
    private final SplittableRandom random;

    /** Creates a source from {@code seed}. */
    public SeededRandom(long seed) {
        this.seed = seed;
        random = new SplittableRandom(seed);
    }

    /** Returns the seed. */
    public long seed() {
        return seed;
    }

    /** Returns a number from 0 to below {@code bound}, which is positive. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** Returns a number from {@code first} to {@code last}, both included. */
    public int between(int first, int last) {
        return random.nextInt(first, last + 1);
    }

    /** Returns any number. */
    public long nextLong() {
        return random.nextLong();
    }

    /** Returns true once in {@code times} on average. */
    public boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    /** Returns {@code count} random bytes. */
    public byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Returns one of {@code values}. */
    public <T> T pick(T[] values) {
        return values[random.nextInt(values.length)];
    }

    /** Returns 0 to {@code count - 1} in random order. */
    public int[] permutation(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    /** Returns a generator of its own, which leaves this one's further numbers as they were. */
    public SeededRandom fork() {
        return new SeededRandom(random.nextLong());
    }

    @Override
    public String toString() {
        return "seed " + seed;
    }
}
