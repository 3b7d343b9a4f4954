package org.panamaverbs.cli.perf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.outofband.QueuePairEndpoint;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * What perftest's tools tell each other of a queue pair ({@code struct pingpong_dest} as {@code KEY_PRINT_FMT_GID} of
 * its perftest_communication.h prints it): hexadecimal fields of fixed width with colons between, and a null byte at
 * the end.
 *
 * @param lid the port's LID
 * @param outstanding Reads and Atomics that may be outstanding
 * @param qpNumber the queue pair's number
 * @param psn the first packet's number
 * @param rkey the key of the buffer
 * @param address the buffer's address
 * @param gid the GID; null on a route by LID alone, whose form is shorter
 */
record PerftestKeys(
        int lid,
        int outstanding,
        int qpNumber,
        int psn,
        int rkey,
        long address,
        @Nullable Gid gid) {
    private static final int BYTES = 59;
    private static final int BYTES_WITH_GID = 108;
    private static final String NUMBER = "00000000";
    private static final int HEX = 16;

    /** Returns what is told of a queue pair whose buffer is {@code buffer}. */
    static PerftestKeys of(QueuePairEndpoint own, RemoteBuffer buffer) {
        return new PerftestKeys(
                own.lid(),
                own.responderResources(),
                own.qpNumber(),
                own.psn(),
                buffer.rkey(),
                buffer.address(),
                own.gid().isZero() ? null : own.gid());
    }

    static int bytes(boolean withGid) {
        return withGid ? BYTES_WITH_GID : BYTES;
    }

    byte[] encode() {
        String text = String.format(
                Locale.ROOT, "%04x:%04x:%06x:%06x:%08x:%016x:", lid, outstanding, qpNumber, psn, rkey, address);
        String form = gid == null
                ? text + NUMBER
                : text + HexFormat.ofDelimiter(":").formatHex(gid.toBytes()) + ":" + NUMBER + ":";
        byte[] octets = new byte[bytes(gid != null)];
        byte[] characters = form.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(characters, 0, octets, 0, characters.length);
        return octets;
    }

    /**
     * Reads what a peer told.
     *
     * @throws CommandFailure if that is no form of perftest
     */
    static PerftestKeys decode(byte[] octets) {
        String text = new String(octets, StandardCharsets.US_ASCII);
        String[] fields = text.split(":", -1);
        try {
            boolean withGid = octets.length == BYTES_WITH_GID;
            Gid gid = withGid ? gid(fields) : null;
            return new PerftestKeys(
                    Integer.parseInt(fields[0], HEX),
                    Integer.parseInt(fields[1], HEX),
                    Integer.parseInt(fields[2], HEX),
                    Integer.parseInt(fields[3], HEX),
                    Integer.parseUnsignedInt(fields[4], HEX),
                    Long.parseUnsignedLong(fields[5], HEX),
                    gid);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new CommandFailure(
                    "the peer sent no keys in perftest's format: \""
                            + text.replace('\0', ' ').strip() + "\"" + PerftestSocket.SAME_TEST,
                    e);
        }
    }

    private static Gid gid(String[] fields) {
        return Gid.of(HexFormat.ofDelimiter(":")
                .parseHex(String.join(":", Arrays.copyOfRange(fields, 6, 6 + Gid.BYTES))));
    }
}
