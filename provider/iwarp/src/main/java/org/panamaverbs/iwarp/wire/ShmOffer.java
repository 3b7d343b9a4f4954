package org.panamaverbs.iwarp.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The Offer of shared memory, which an initiator on the responder's host sends before any frame of MPA.
 *
 * <pre>
 *  0                      16        17           18         20     36      52
 *  | Key "\xD7PVERBS SHM Offr" | Version | Name space | Reserved | Name | Token |
 * </pre>
 *
 * <p>No frame of MPA and no record of TLS begins with the first octet of the key. Reserved octets are 0 on transmit and
 * ignored on receive.
 *
 * @param version of what follows the Offer, {@link #VERSION}; a responder declines others
 * @param nameSpace where the name is, {@link #ABSTRACT}, {@link #DIRECTORY} or {@link #KEPT}; a responder declines
 *     others
 * @param name the random part of the name of a Unix socket that the initiator listens at, 16 octets; of {@link #KEPT}
 *     the token of the first Offer
 * @param token what the responder shows there, 16 octets; of {@link #KEPT} the initiator, over the Unix connection that
 *     was kept
 */
public record ShmOffer(int version, int nameSpace, Octets name, Octets token) {
    /** The first octet of the key. */
    public static final byte FIRST_OCTET = (byte) 0xD7;
    /** Size of the whole. */
    public static final int BYTES = 52;
    /** What this side speaks. */
    public static final int VERSION = 1;
    /** The name is in the abstract name space of the network namespace. */
    public static final int ABSTRACT = 0;
    /** The name is in a directory that both sides see. */
    public static final int DIRECTORY = 1;
    /** The name is that of rings which both sides keep from a connection before; the token has come with them. */
    public static final int KEPT = 2;
    /** Size of the name, and of the token. */
    public static final int NAME_BYTES = 16;

    static final int KEY_BYTES = 16;
    private static final int VERSION_OFFSET = 16;
    private static final int NAME_SPACE_OFFSET = 17;
    private static final int NAME_OFFSET = 20;
    private static final int TOKEN_OFFSET = 36;
    private static final byte[] KEY = key("PVERBS SHM Offr");

    /** Refuses what has no encoding. */
    public ShmOffer {
        if (name.size() != NAME_BYTES || token.size() != NAME_BYTES) {
            throw new IllegalArgumentException("name and token have %d and %d octets, expected %d"
                    .formatted(name.size(), token.size(), NAME_BYTES));
        }
    }

    /** Returns the key that begins with {@link #FIRST_OCTET} and goes on as {@code words}. */
    static byte[] key(String words) {
        return ByteBuffer.allocate(KEY_BYTES)
                .put(FIRST_OCTET)
                .put(words.getBytes(StandardCharsets.US_ASCII))
                .array();
    }

    /** Returns its octets. */
    public ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .put(KEY)
                .put((byte) version)
                .put((byte) nameSpace)
                .position(NAME_OFFSET)
                .put(name.toByteArray())
                .put(token.toByteArray())
                .flip();
    }

    /** Returns what the first {@link #BYTES} octets of {@code octets} say; null if they are no Offer. */
    public static @Nullable ShmOffer parse(ByteBuffer octets) {
        byte[] all = new byte[BYTES];
        octets.get(0, all);
        if (!ByteBuffer.wrap(all, 0, KEY_BYTES).equals(ByteBuffer.wrap(KEY))) {
            return null;
        }
        return new ShmOffer(
                all[VERSION_OFFSET] & 0xFF,
                all[NAME_SPACE_OFFSET] & 0xFF,
                Octets.of(Arrays.copyOfRange(all, NAME_OFFSET, TOKEN_OFFSET)),
                Octets.of(Arrays.copyOfRange(all, TOKEN_OFFSET, BYTES)));
    }
}
