package org.panamaverbs.sockets.rsocket;

/**
 * What this side offers its peer: a table of two entries with those for mappings behind them, and a ring of two halves.
 *
 * @param tableAddress where the table begins, as the peer addresses it
 * @param tableKey the key of the table
 * @param bufferAddress where the ring begins, as the peer addresses it
 * @param bufferKey the key of the ring
 * @param halfBytes bytes of half of the ring, from 1
 * @param credits messages that take a credit and may come at once, 2 to 32,767; there are receives for more, as some
 *     take no credit
 * @param iomapEntries mappings of its own that the peer may tell of, as {@link ConnectData#countedIomaps}
 */
public record OwnBuffers(
        long tableAddress,
        int tableKey,
        long bufferAddress,
        int bufferKey,
        int halfBytes,
        int credits,
        int iomapEntries) {
    /** Bytes of the table without entries for mappings. */
    public static final int TABLE_BYTES = TargetTable.ENTRIES * TargetTable.ENTRY_BYTES;

    /** Bytes of an entry of the table. */
    public static final int ENTRY_BYTES = TargetTable.ENTRY_BYTES;

    /** Returns the bytes of a table with {@code iomapEntries} entries for mappings. */
    public static int tableBytes(int iomapEntries) {
        return TABLE_BYTES + iomapEntries * IomapTable.ENTRY_BYTES;
    }

    /** Returns what is told to the peer; entries are to be written big-endian if {@code bigEndian}. */
    public ConnectData connectData(boolean bigEndian) {
        return new ConnectData(
                bigEndian,
                credits,
                iomapEntries,
                tableAddress,
                tableKey,
                TargetTable.ENTRIES,
                bufferAddress,
                bufferKey,
                halfBytes);
    }
}
