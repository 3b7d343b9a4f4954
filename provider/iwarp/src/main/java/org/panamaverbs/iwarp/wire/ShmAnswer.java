package org.panamaverbs.iwarp.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The responder's answer to a {@link ShmOffer}. Behind one that takes it the set-up goes on at the Unix socket of the
 * Offer; behind any other the MPA Request follows on the same connection.
 *
 * <pre>
 *  0                      16        17        18         20
 *  | Key "\xD7PVERBS SHM Answ" | Version | Outcome | Reserved |
 * </pre>
 *
 * <p>Reserved octets are 0 on transmit and ignored on receive.
 *
 * @param version the responder's, {@link ShmOffer#VERSION}
 * @param outcome what becomes of the Offer
 */
public record ShmAnswer(int version, Outcome outcome) {
    /** What becomes of an Offer. */
    public enum Outcome {
        /** The responder has come to the Unix socket and shown the token. */
        TAKEN(0, "taken"),
        /** The version is not the responder's, or it does not know the name space. */
        VERSION(1, "the listener speaks another version of the Offer"),
        /** The responder does not reach the name. */
        UNREACHABLE(2, "the listener did not reach this process's Unix socket"),
        /** The initiator is another user. */
        USER(3, "the listener accepts no peers of other users (set shm.users=any on both sides)"),
        /** The responder lacks memory, descriptors or a place of its own limit for it. */
        RESOURCES(
                4,
                "the listener cannot accept shared memory now: it lacks memory or descriptors, or its shm.max is"
                        + " reached"),
        /** The rings that the Offer names are not kept; the initiator makes another Offer. */
        NOT_KEPT(5, "the listener does not keep the shared memory of the connection before"),
        /** A number that this side does not know. */
        OTHER(6, "the listener declined, for an unknown reason");

        private final int number;
        private final String text;

        Outcome(int number, String text) {
            this.number = number;
            this.text = text;
        }

        private static Outcome of(int number) {
            for (Outcome outcome : values()) {
                if (outcome.number == number) {
                    return outcome;
                }
            }
            return OTHER;
        }

        /** Returns the answer in words. */
        public String text() {
            return text;
        }
    }

    /** Size of the whole. */
    public static final int BYTES = 20;

    private static final int VERSION_OFFSET = 16;
    private static final int OUTCOME_OFFSET = 17;
    private static final byte[] KEY = ShmOffer.key("PVERBS SHM Answ");

    /** Returns its octets. */
    public ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .put(KEY)
                .put((byte) version)
                .put((byte) outcome.number)
                .position(BYTES)
                .flip();
    }

    /** Returns what the first {@link #BYTES} octets of {@code octets} say; null if they are no Answer. */
    public static @Nullable ShmAnswer parse(ByteBuffer octets) {
        if (!octets.slice(0, KEY.length).equals(ByteBuffer.wrap(KEY))) {
            return null;
        }
        return new ShmAnswer(octets.get(VERSION_OFFSET) & 0xFF, Outcome.of(octets.get(OUTCOME_OFFSET) & 0xFF));
    }
}
