package org.panamaverbs.iwarp.wire;

/**
 * The four octets that enhanced connection set-up puts in front of the private data (RFC 6581 §9):
 *
 * <pre>
 *  31  30  29       16  15  14  13        0
 *  | A | B | IRD      | C | D | ORD       |
 *
 *  A peer-to-peer model; RTR options: B zero-length Send, C zero-length RDMA Write, D zero-length RDMA Read
 * </pre>
 *
 * @param peerToPeer A: the initiator sends an RTR indication as its first FPDU
 * @param rtrSend B
 * @param rtrWrite C
 * @param rtrRead D
 * @param ird inbound RDMA Read queue depth, 0..0x3FFE, or {@link #NOT_NEGOTIATED}
 * @param ord outbound RDMA Read queue depth, 0..0x3FFE, or {@link #NOT_NEGOTIATED}
 */
public record EnhancedBlock(boolean peerToPeer, boolean rtrSend, boolean rtrWrite, boolean rtrRead, int ird, int ord) {
    /** Size on the wire, counted in PD_Length. */
    public static final int BYTES = 4;
    /** In place of a depth: not negotiated, the ULP decides. Never a count. */
    public static final int NOT_NEGOTIATED = 0x3FFF;
    /** Largest depth that can be negotiated. */
    public static final int MAX_DEPTH = NOT_NEGOTIATED - 1;

    private static final int BIT_A = 1 << 31;
    private static final int BIT_B = 1 << 30;
    private static final int BIT_C = 1 << 15;
    private static final int BIT_D = 1 << 14;
    private static final int IRD_SHIFT = 16;
    private static final int DEPTH_MASK = 0x3FFF;

    /** Refuses depths that do not fit into 14 bits. */
    public EnhancedBlock {
        if ((ird & ~DEPTH_MASK) != 0 || (ord & ~DEPTH_MASK) != 0) {
            throw new IllegalArgumentException("IRD %d and ORD %d must be 0..%d".formatted(ird, ord, DEPTH_MASK));
        }
    }

    /** The block for the client-server model, in which the initiator's ULP speaks first and no RTR is needed. */
    public static EnhancedBlock clientServer(int ird, int ord) {
        return new EnhancedBlock(false, false, false, false, ird, ord);
    }

    /** Reads the block from its 32 bits; every value is legal. */
    public static EnhancedBlock decode(int word) {
        return new EnhancedBlock(
                (word & BIT_A) != 0,
                (word & BIT_B) != 0,
                (word & BIT_C) != 0,
                (word & BIT_D) != 0,
                word >>> IRD_SHIFT & DEPTH_MASK,
                word & DEPTH_MASK);
    }

    /** The 32 bits of the block. */
    public int encode() {
        return (peerToPeer ? BIT_A : 0)
                | (rtrSend ? BIT_B : 0)
                | (rtrWrite ? BIT_C : 0)
                | (rtrRead ? BIT_D : 0)
                | ird << IRD_SHIFT
                | ord;
    }

    /** True when any RTR option is set. */
    public boolean hasRtr() {
        return rtrSend || rtrWrite || rtrRead;
    }
}
