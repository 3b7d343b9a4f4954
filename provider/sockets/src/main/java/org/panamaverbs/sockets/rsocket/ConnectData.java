package org.panamaverbs.sockets.rsocket;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What each side of an rsocket tells the other in the private data of the request and of the reply: {@value #BYTES}
 * bytes in network order ({@code struct rs_conn_data} of rdma-core's {@code librdmacm/rsocket.c}).
 *
 * <pre>
 *  bytes  0         1       2..3      4..6       7            8..15          16..19       20..23
 *       version 1, flags,  credits,  reserved, iomap size, table address, table's key, table's entries,
 *       24..31                      32..35        36..39
 *       first buffer's address, first buffer's key, first buffer's bytes
 * </pre>
 *
 * @param bigEndian whether entries of this side's table are to be written big-endian (flag NET), else little-endian
 * @param credits how many messages that take a credit may be sent to this side at first, 0 to 65,535
 * @param iomapEntries how many iomap entries follow the table, as its scaled byte says
 * @param tableAddress where this side's table begins
 * @param tableKey the key of the table
 * @param tableEntries how many entries the table has, unsigned
 * @param bufferAddress where the first bytes for this side go
 * @param bufferKey the key of that buffer
 * @param bufferBytes the bytes of that buffer, unsigned
 */
public record ConnectData(
        boolean bigEndian,
        int credits,
        int iomapEntries,
        long tableAddress,
        int tableKey,
        int tableEntries,
        long bufferAddress,
        int bufferKey,
        int bufferBytes) {
    /** Bytes of the encoded form. */
    public static final int BYTES = 40;

    private static final int VERSION = 1;
    private static final int FLAG_NET = 1;
    private static final int FLAG_IOMAP = 2;
    /** Not one of C, which looks at its own alone. */
    private static final int FLAG_PIECES = 0x80;

    /** What a request of {@link #takingPieces} begins with, in hexadecimal. */
    public static final String TAKES_PIECES =
            HexFormat.of().formatHex(new byte[] {VERSION, (byte) (FLAG_PIECES | FLAG_IOMAP)});

    private static final int MOST_PLAIN = 128;

    /** The most iomap entries that can be told. */
    public static final int MOST_IOMAPS = 0x7f00;

    /** Returns the encoded form. */
    public byte[] encode() {
        ByteBuffer octets = ByteBuffer.allocate(BYTES);
        octets.put((byte) VERSION);
        octets.put((byte) (FLAG_IOMAP | (bigEndian ? FLAG_NET : 0)));
        octets.putShort((short) credits);
        octets.put(new byte[3]);
        octets.put((byte) (iomapEntries <= MOST_PLAIN ? iomapEntries : 0x80 | (iomapEntries >> 8)));
        octets.putLong(tableAddress).putInt(tableKey).putInt(tableEntries);
        octets.putLong(bufferAddress).putInt(bufferKey).putInt(bufferBytes);
        return octets.array();
    }

    /**
     * Returns the same {@code request}, an encoded form, which says that its sender takes an MPA Reply in pieces, as
     * provider iwarp does and some hardware does not.
     */
    public static byte[] takingPieces(byte[] request) {
        byte[] octets = request.clone();
        octets[1] |= (byte) FLAG_PIECES;
        return octets;
    }

    /**
     * Returns why {@code octets} are not what a peer may say, null if they are. Bytes behind the first {@value #BYTES}
     * do not count: InfiniBand pads private data.
     */
    public static @Nullable String fault(byte[] octets) {
        if (octets.length < BYTES) {
            return "connection data of " + octets.length + " bytes, expected " + BYTES;
        }
        if (octets[0] != VERSION) {
            return "rsockets version " + octets[0] + ", expected " + VERSION;
        }
        ConnectData data = decode(octets);
        if (data.tableEntries < 0 || data.tableEntries < TargetTable.ENTRIES) {
            return "a table of " + Integer.toUnsignedString(data.tableEntries) + " entries,"
                    + " expected " + TargetTable.ENTRIES
                    + " to 2^31-1";
        }
        if (data.bufferBytes <= 0) {
            return "a first buffer of " + Integer.toUnsignedString(data.bufferBytes) + " bytes, expected 1 to 2^31-1";
        }
        if (data.tableAddress == 0 || wraps(data.tableAddress, data.tableBytes())) {
            return "a table at address 0x" + Long.toHexString(data.tableAddress);
        }
        if (data.bufferAddress == 0 || wraps(data.bufferAddress, data.bufferBytes)) {
            return "a first buffer at address 0x" + Long.toHexString(data.bufferAddress);
        }
        return data.credits == 0 ? "no credits" : null;
    }

    /** Returns what {@code octets}, which have no {@link #fault}, say. */
    public static ConnectData decode(byte[] octets) {
        ByteBuffer in = ByteBuffer.wrap(octets);
        int flags = in.get(1);
        int scaled = Byte.toUnsignedInt(in.get(7));
        return new ConnectData(
                (flags & FLAG_NET) != 0,
                Short.toUnsignedInt(in.getShort(2)),
                (flags & FLAG_IOMAP) == 0 ? 0 : scaled <= MOST_PLAIN ? scaled : (scaled & 0x7f) << 8,
                in.getLong(8),
                in.getInt(16),
                in.getInt(20),
                in.getLong(24),
                in.getInt(32),
                in.getInt(36));
    }

    private long tableBytes() {
        return (long) tableEntries * TargetTable.ENTRY_BYTES + (long) iomapEntries * IomapTable.ENTRY_BYTES;
    }

    /** Returns where in the table iomap entry {@code index} begins. */
    long iomapAddress(int index) {
        return tableAddress + (long) tableEntries * TargetTable.ENTRY_BYTES + (long) index * IomapTable.ENTRY_BYTES;
    }

    /**
     * Returns how many of {@code entries} iomap entries, 0 to {@value #MOST_IOMAPS}, can be told; fewer from 129 on.
     */
    public static int countedIomaps(int entries) {
        return entries <= MOST_PLAIN ? entries : Math.max(MOST_PLAIN, entries & ~0xff);
    }

    /** Tells whether {@code bytes} bytes, which are positive, from {@code address} on reach beyond 2^64. */
    static boolean wraps(long address, long bytes) {
        return Long.compareUnsigned(address + (bytes - 1), address) < 0;
    }
}
