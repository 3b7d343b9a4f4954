package org.panamaverbs.examples.nvme.wire;

/** The properties of a controller, by their offsets, and their bits. */
public final class Property {
    /** Capabilities, 8 bytes; all others have 4. */
    public static final int CAP = 0x00;
    /** The version of NVM Express. */
    public static final int VS = 0x08;
    /** The controller's configuration, the one property that hosts set. */
    public static final int CC = 0x14;
    /** The controller's status. */
    public static final int CSTS = 0x1C;

    /** CC: enabled. */
    public static final int CC_ENABLE = 1;
    /** CC: the bits of a shutdown. */
    public static final int CC_SHUTDOWN_MASK = 3 << 14;
    /** CC: a normal shutdown. */
    public static final int CC_SHUTDOWN = 1 << 14;
    /** CC: entries of 64 and 16 bytes, pages of 4 KiB, the NVM command set, round robin. */
    public static final int CC_USUAL = 6 << 16 | 4 << 20;

    /** CSTS: ready. */
    public static final int CSTS_READY = 1;
    /** CSTS: failed for good. */
    public static final int CSTS_FATAL = 1 << 1;
    /** CSTS: the shutdown is over. */
    public static final int CSTS_SHUT_DOWN = 2 << 2;

    /** VS: 1.3, which has lists of namespace descriptors. */
    public static final int VERSION_1_3 = 1 << 16 | 3 << 8;

    private Property() {}

    /** Returns CAP for queues of up to {@code depth} entries, and half a minute to get ready. */
    public static long capabilities(int depth) {
        long contiguous = 1L << 16;
        long halfSeconds = 60L << 24;
        long nvmCommandSet = 1L << 37;
        return nvmCommandSet | halfSeconds | contiguous | depth - 1;
    }

    /** Returns how many entries a queue may have that CAP allows. */
    public static int maxDepth(long capabilities) {
        return (int) (capabilities & 0xFFFF) + 1;
    }
}
