package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A peer's octets taken for an advertised buffer, as applications take private data and messages: held against a second
 * reading with numbers that cannot overflow.
 */
public final class FuzzAdvertisement {
    private static final int BYTES = 24;
    private static final BigInteger END = BigInteger.ONE.shiftLeft(Long.SIZE);
    private static final int RIGHTS =
            Arrays.stream(Access.values()).mapToInt(Access::bit).reduce(0, (left, right) -> left | right);

    private FuzzAdvertisement() {}

    /** Decodes the octets in each form, and asks for the range in each way; answers whether they were a buffer. */
    public static boolean check(byte[] octets, long offset, long length, int right) {
        RemoteBuffer decoded = decode(octets);
        boolean legal = isLegal(octets);
        if ((decoded != null) != legal) {
            throw new AssertionError("legal " + legal + ", but decoded is " + decoded);
        }
        if (decoded == null) {
            return false;
        }
        if (!Arrays.equals(decoded.encode(), Arrays.copyOf(octets, BYTES)) || !sameInAllForms(decoded, octets)) {
            throw new AssertionError("is not what it was decoded from: " + decoded);
        }
        Access[] all = Access.values();
        checkRange(decoded, offset, length, all[right % all.length]);
        return true;
    }

    private static @Nullable RemoteBuffer decode(byte[] octets) {
        try {
            return RemoteBuffer.decode(octets);
        } catch (IllegalArgumentException e) {
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new AssertionError("does not say what is wrong", e);
            }
            return null;
        }
    }

    private static boolean isLegal(byte[] octets) {
        if (octets.length < BYTES) {
            return false;
        }
        ByteBuffer fields = ByteBuffer.wrap(octets);
        BigInteger length = BigInteger.valueOf(fields.getLong(16));
        boolean fits = unsigned(fields.getLong(8)).add(length).compareTo(END) <= 0;
        return length.signum() >= 0 && fits && (fields.getInt(4) & ~RIGHTS) == 0;
    }

    private static boolean sameInAllForms(RemoteBuffer decoded, byte[] octets) {
        MemorySegment shifted = MemorySegment.ofArray(new byte[octets.length + 1]);
        shifted.asSlice(1).copyFrom(MemorySegment.ofArray(octets));
        ByteBuffer buffer = ByteBuffer.wrap(octets);
        boolean same = decoded.equals(RemoteBuffer.decode(shifted, 1)) && decoded.equals(RemoteBuffer.decode(buffer));
        return same && buffer.position() == BYTES && !decoded.toString().isBlank();
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private static void checkRange(RemoteBuffer buffer, long offset, long length, Access right) {
        boolean within = isWithin(buffer, offset, length);
        boolean granted = right.in(buffer.rights());
        expect(buffer, within && granted, buffer.address() + offset, () -> buffer.checkedOffset(offset, length, right));

        boolean room = isWithin(buffer, offset, Long.BYTES);
        boolean aligned = (buffer.address() + offset) % Long.BYTES == 0;
        boolean atomic = Access.REMOTE_ATOMIC.in(buffer.rights());
        expect(buffer, room && aligned && atomic, buffer.address() + offset, () -> buffer.checkedAtomicOffset(offset));

        expect(buffer, within, length, () -> buffer.slice(offset, length).length());
    }

    private static boolean isWithin(RemoteBuffer buffer, long offset, long length) {
        BigInteger end = BigInteger.valueOf(offset).add(BigInteger.valueOf(length));
        return offset >= 0 && length >= 0 && end.compareTo(BigInteger.valueOf(buffer.length())) <= 0;
    }

    private static void expect(RemoteBuffer buffer, boolean legal, long right, LongSupplier attempt) {
        boolean granted;
        long got = 0;
        try {
            got = attempt.getAsLong();
            granted = true;
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            granted = false;
        }
        if (granted != legal || (granted && got != right)) {
            throw new AssertionError("legal " + legal + ", granted " + granted + " as " + got + ": " + buffer);
        }
    }
}
