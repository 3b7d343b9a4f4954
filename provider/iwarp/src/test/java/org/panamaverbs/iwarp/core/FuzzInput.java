package org.panamaverbs.iwarp.core;

import java.util.Arrays;

/** The fuzzer's octets as a row of decisions. Once they are used up every decision is 0. */
public final class FuzzInput {
    private final byte[] data;
    private int at;

    /** Decisions of these octets. */
    public FuzzInput(byte... data) {
        this.data = data.clone();
    }

    /** Whether the octets are used up. */
    public boolean isEmpty() {
        return at >= data.length;
    }

    /** From 0 to 255. */
    public int octet() {
        return isEmpty() ? 0 : data[at++] & 0xFF;
    }

    /** From 0 to {@code bound - 1}. */
    public int below(int bound) {
        return octet() % bound;
    }

    /** Yes or no. */
    public boolean flag() {
        return (octet() & 1) != 0;
    }

    /** From 0 to 65,535. */
    public int u16() {
        return octet() << 8 | octet();
    }

    /** Any int. */
    public int int32() {
        return u16() << 16 | u16();
    }

    /** Any long. */
    public long int64() {
        return (long) int32() << 32 | Integer.toUnsignedLong(int32());
    }

    /** The next {@code most} octets or as many as are left. */
    public byte[] take(int most) {
        int from = Math.min(at, data.length);
        at = Math.min(data.length, from + most);
        return Arrays.copyOfRange(data, from, at);
    }

    /** What is left. */
    public byte[] rest() {
        return take(data.length);
    }

    /** A length: most often short, sometimes long enough to be received in place or to need several segments. */
    public int length() {
        int octet = octet();
        return switch (octet >>> 6) {
            case 0, 1 -> octet & 0x3F;
            case 2 -> (octet & 0x3F) * 16 + 240;
            default -> (octet & 0x3F) * 48;
        };
    }
}
