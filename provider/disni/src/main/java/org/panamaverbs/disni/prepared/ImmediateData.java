package org.panamaverbs.disni.prepared;

import java.nio.ByteOrder;

/**
 * Immediate data as DiSNI has it, four bytes in the order of the network whatever the machine's, and as the verbs API
 * has it, a number.
 */
final class ImmediateData {
    private static final boolean SWAPPED = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private ImmediateData() {}

    static long toNumber(int networkOrder) {
        return Integer.toUnsignedLong(SWAPPED ? Integer.reverseBytes(networkOrder) : networkOrder);
    }

    static int toNetworkOrder(long number) {
        return SWAPPED ? Integer.reverseBytes((int) number) : (int) number;
    }
}
