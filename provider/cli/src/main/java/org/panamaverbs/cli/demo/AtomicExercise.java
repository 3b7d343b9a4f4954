package org.panamaverbs.cli.demo;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.cli.demo.Endpoint.CELL;
import static org.panamaverbs.cli.demo.Endpoint.RESULT;
import static org.panamaverbs.cli.demo.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * An atomic operation: the initiator checks the value that came back, the responder the value that its cell has now.
 */
record AtomicExercise(String title, Kind kind) implements Exercise {
    /** The top bits of four fields of 16 bits. */
    private static final long FIELDS = 0x8000_8000_8000_8000L;

    /** The bits that the masked CmpSwap compares, and those that it swaps. */
    private static final long COMPARE_MASK = 0x0000_FFFF_0000_FFFFL;

    private static final long SWAP_MASK = 0xFF00_FF00_FF00_FF00L;

    /** The operations; a CmpSwap fails to match in each second round. */
    enum Kind {
        FETCH_ADD,
        MASKED_FETCH_ADD,
        CMP_SWAP,
        MASKED_CMP_SWAP,
        SWAP
    }

    @Override
    public long bytes() {
        return Long.BYTES;
    }

    @Override
    public boolean supported(Capabilities capabilities) {
        return switch (kind) {
            case FETCH_ADD, CMP_SWAP -> capabilities.has(Feature.ATOMICS);
            case MASKED_FETCH_ADD, MASKED_CMP_SWAP, SWAP -> capabilities.has(Feature.MASKED_ATOMICS);
        };
    }

    @Override
    public @Nullable RemoteBuffer prepare(Endpoint responder, long seed) {
        responder.data().atomicTarget(CELL).setVolatile(before(seed));
        return null;
    }

    @Override
    public void load(Endpoint initiator, RemoteBuffer target, long seed) {
        initiator.data().segment().set(JAVA_LONG, RESULT, ~before(seed));
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        QueuePair pair = initiator.queuePair();
        RegisteredBuffer data = initiator.data();
        long value = operand(seed);
        return switch (kind) {
            case FETCH_ADD -> pair.fetchAdd(WORK, data, RESULT, target, CELL, value, SIGNALED);
            case MASKED_FETCH_ADD -> pair.maskedFetchAdd(WORK, data, RESULT, target, CELL, value, FIELDS, SIGNALED);
            case CMP_SWAP -> pair.cmpSwap(WORK, data, RESULT, target, CELL, compare(seed), value, SIGNALED);
            case MASKED_CMP_SWAP ->
                pair.maskedCmpSwap(
                        WORK, data, RESULT, target, CELL, compare(seed), value, COMPARE_MASK, SWAP_MASK, SIGNALED);
            case SWAP -> pair.swap(WORK, data, RESULT, target, CELL, value, SIGNALED);
        };
    }

    @Override
    public @Nullable String check(Endpoint initiator, Arrival completion, long seed) {
        long result = initiator.data().segment().get(JAVA_LONG, RESULT);
        return result == before(seed)
                ? null
                : "returned 0x%016x, the cell held 0x%016x".formatted(result, before(seed));
    }

    @Override
    public @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        long cell = responder.data().atomicTarget(CELL).getVolatile();
        return cell == after(seed) ? null : "the cell holds 0x%016x, expected 0x%016x".formatted(cell, after(seed));
    }

    private static long before(long seed) {
        return Pattern.mix(seed, 1);
    }

    private static long operand(long seed) {
        return Pattern.mix(seed, 2);
    }

    private static boolean matches(long seed) {
        return (seed & 1) == 0;
    }

    /** Returns what to compare with: right in all bits that count, or wrong in one of them. */
    private long compare(long seed) {
        long right = kind == Kind.MASKED_CMP_SWAP ? before(seed) ^ ~COMPARE_MASK : before(seed);
        return matches(seed) ? right : right ^ 1;
    }

    private long after(long seed) {
        long before = before(seed);
        long operand = operand(seed);
        return switch (kind) {
            case FETCH_ADD -> before + operand;
            case MASKED_FETCH_ADD -> addFields(before, operand);
            case CMP_SWAP -> matches(seed) ? operand : before;
            case MASKED_CMP_SWAP -> matches(seed) ? (before & ~SWAP_MASK) | (operand & SWAP_MASK) : before;
            case SWAP -> operand;
        };
    }

    private static long addFields(long left, long right) {
        long sum = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Short.SIZE) {
            sum |= (((left >>> shift) + (right >>> shift)) & 0xFFFF) << shift;
        }
        return sum;
    }
}
