package org.panamaverbs.examples.nvme.wire;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of blocks, as {@code sha256sum} prints it, by which both sides and the shell compare. */
public final class Checksum {
    private Checksum() {}

    /** Returns the checksum of {@code segment}, which has less than 2 GiB. */
    public static String of(MemorySegment segment) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(segment.asByteBuffer());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
