package org.panamaverbs.iwarp.wire;

/** Tests of randomness, with bounds that a good source exceeds less than once in 10^9 runs. */
public final class Statistics {
    /** The bound of {@link #chiSquare} for 256 classes: 7.7 standard deviations above the mean of 255. */
    public static final double CHI_SQUARE_255 = 430;

    private static final double DEVIATIONS = 6.5;

    private Statistics() {}

    /** Returns how far {@code counts} are from being even. */
    public static double chiSquare(long[] counts) {
        double sum = 0;
        for (long count : counts) {
            sum += count;
        }
        double expected = sum / counts.length;
        double distance = 0;
        for (long count : counts) {
            distance += (count - expected) * (count - expected) / expected;
        }
        return distance;
    }

    /** Returns how much each number tells of the next, from -1 to 1; 0 is nothing. */
    public static double serialCorrelation(int[] numbers) {
        double mean = 0;
        for (int number : numbers) {
            mean += (double) number / numbers.length;
        }
        double products = 0;
        double squares = 0;
        for (int i = 0; i < numbers.length; i++) {
            double next = numbers[(i + 1) % numbers.length] - mean;
            products += (numbers[i] - mean) * next;
            squares += next * next;
        }
        return products / squares;
    }

    /** Returns the bound of {@link #serialCorrelation} for {@code count} numbers. */
    public static double correlationBound(int count) {
        return DEVIATIONS / Math.sqrt(count);
    }
}
