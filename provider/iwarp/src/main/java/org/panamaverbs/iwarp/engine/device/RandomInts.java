package org.panamaverbs.iwarp.engine.device;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.function.IntSupplier;

/** Unpredictable numbers, drawn from the secure source in blocks since each draw costs microseconds. Thread-safe. */
public final class RandomInts implements IntSupplier {
    private static final int BLOCK = 4096;

    private final SecureRandom source;
    private final byte[] block = new byte[BLOCK];
    private final ByteBuffer numbers = ByteBuffer.wrap(block).limit(0);

    public RandomInts(SecureRandom source) {
        this.source = source;
    }

    @Override
    public synchronized int getAsInt() {
        if (!numbers.hasRemaining()) {
            source.nextBytes(block);
            numbers.clear();
        }
        int number = numbers.getInt();
        // What was given out is not kept.
        numbers.putInt(numbers.position() - Integer.BYTES, 0);
        return number;
    }
}
