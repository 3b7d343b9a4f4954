package org.panamaverbs.cli.demo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * What the peers tell each other around an operation, itself by Send.
 *
 * @param kind what is asked or answered
 * @param exercise the index of the exercise
 * @param seed of the round's data
 * @param remote memory to use, null for none
 * @param text what differed, empty for nothing; cut to {@value #MAX_TEXT} bytes of UTF-8
 */
record ControlMessage(
        Kind kind, int exercise, long seed, @Nullable RemoteBuffer remote, String text) {
    /** The longest encoded form in bytes. */
    static final int MAX_BYTES = 512;

    private static final int FIXED_BYTES = 4 + 4 + 8 + 4 + RemoteBuffer.BYTES + 4;
    private static final int MAX_TEXT = MAX_BYTES - FIXED_BYTES;
    private static final Kind[] KINDS = Kind.values();

    /** What a message asks or answers. */
    enum Kind {
        /** Make ready for the operation. */
        PREPARE,
        /** Go ahead with the operation. */
        READY,
        /** Check what the operation did. */
        VERIFY,
        /** This is what differed. */
        REPORT,
        /** There are no more operations. */
        FINISH
    }

    /** Writes the message at the position. */
    void encode(ByteBuffer buffer) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(octets.length, MAX_TEXT);
        buffer.putInt(Arrays.asList(KINDS).indexOf(kind)).putInt(exercise).putLong(seed);
        buffer.putInt(remote == null ? 0 : 1).put(remote == null ? new byte[RemoteBuffer.BYTES] : remote.encode());
        buffer.putInt(length).put(octets, 0, length);
    }

    /** Reads a message at the position. */
    static ControlMessage decode(ByteBuffer buffer) {
        Kind kind = KINDS[buffer.getInt()];
        int exercise = buffer.getInt();
        long seed = buffer.getLong();
        boolean present = buffer.getInt() != 0;
        byte[] encoded = new byte[RemoteBuffer.BYTES];
        buffer.get(encoded);
        byte[] octets = new byte[buffer.getInt()];
        buffer.get(octets);
        return new ControlMessage(
                kind,
                exercise,
                seed,
                present ? RemoteBuffer.decode(encoded) : null,
                new String(octets, StandardCharsets.UTF_8));
    }
}
