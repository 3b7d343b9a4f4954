package org.panamaverbs.bench.peers;

import java.nio.ByteBuffer;

/** The bytes of a message, by its number: no two messages near each other have the same. */
final class Pattern {
    private static final int STEP = 37;

    private Pattern() {}

    /** Fills {@code message} from its position to its limit, which stay where they are. */
    static void fill(ByteBuffer message, long number) {
        for (int i = message.position(); i < message.limit(); i++) {
            message.put(i, octet(number, i - message.position()));
        }
    }

    /**
     * Compares {@code octets} with those that stand at {@code offset} in the message.
     *
     * @throws Peer.WrongOctetsException at the first that differs
     */
    static void check(ByteBuffer octets, long number, int offset) {
        for (int i = octets.position(); i < octets.limit(); i++) {
            int at = offset + i - octets.position();
            byte expected = octet(number, at);
            if (octets.get(i) != expected) {
                throw new Peer.WrongOctetsException(
                        "byte " + at + " of message " + number + ": expected " + expected + ", got " + octets.get(i));
            }
        }
    }

    private static byte octet(long number, int at) {
        return (byte) (number * STEP + at + (at >> 8));
    }
}
