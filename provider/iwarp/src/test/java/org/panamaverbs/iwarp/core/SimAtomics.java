package org.panamaverbs.iwarp.core;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.iwarp.core.SimRequests.Request;

/** Random Atomics of a flow, with RFC 7306's pictures of them written out bit by bit. */
final class SimAtomics {
    private static final List<SendOpcode> OPERATIONS =
            List.of(SendOpcode.FETCH_ADD, SendOpcode.CMP_SWAP, SendOpcode.MASKED_FETCH_ADD, SendOpcode.MASKED_CMP_SWAP);

    private final SimFlow flow;
    private final SplittableRandom random;
    private int resultsUsed;

    SimAtomics(SimFlow flow) {
        this.flow = flow;
        random = flow.random;
    }

    /** Posts an atomic. */
    void act() {
        if (resultsUsed == flow.memory.results.size()) {
            return;
        }
        SimZone cells = flow.memory.cells;
        int cell = 8 * random.nextInt(cells.size() / 8);
        long before = buffer(cells.latest(cell, 8)).getLong(0);
        long first = switch (random.nextInt(3)) {
            case 0 -> before;
            case 1 -> 1;
            default -> random.nextLong();
        };
        long swap = random.nextLong();
        SendOpcode operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
        // Compare mask 0 with swap mask -1 is what swap() posts.
        long mask = random.nextInt(3) == 0 ? 0 : random.nextLong() & (0xFFL << random.nextInt(57));
        long swapMask = random.nextBoolean() ? -1 : random.nextLong();
        int flags = flow.flags();
        int status = flow.here.posts.postAtomic(
                operation,
                flow.requests.count(),
                flow.memory.results.address(resultsUsed),
                flow.memory.results.stag(),
                cells.address(cell),
                cells.stag(),
                first,
                swap,
                mask,
                swapMask,
                flags);
        if (!flow.requests.accepted(status)) {
            return;
        }
        long after = switch (operation) {
            case FETCH_ADD -> before + first;
            case CMP_SWAP -> before == first ? swap : before;
            case MASKED_FETCH_ADD -> addedInFields(before, first, mask);
            default -> swapped(before, first, swap, mask, swapMask);
        };
        boolean adds = operation == SendOpcode.FETCH_ADD || operation == SendOpcode.MASKED_FETCH_ADD;
        String text = operation + " of cell " + cell / 8;
        Request request = flow.add(adds ? WcOpcode.FETCH_ADD : WcOpcode.CMP_SWAP, text, 8, flags, true);
        request.here.add(flow.memory.results.change(resultsUsed, false, octets(before)));
        flow.changes(request, cells, cell, true, octets(after));
        resultsUsed += 8;
    }

    // RFC 7306 §5.1.1: a set bit of the mask is the last of its field; its carry is discarded.
    private static long addedInFields(long before, long add, long mask) {
        long sum = 0;
        int carry = 0;
        for (int bit = 0; bit < 64; bit++) {
            int digit = (int) ((before >>> bit) & 1) + (int) ((add >>> bit) & 1) + carry;
            sum |= (long) (digit & 1) << bit;
            carry = ((mask >>> bit) & 1) == 1 ? 0 : digit >> 1;
        }
        return sum;
    }

    // RFC 7306 §5.1.2.
    private static long swapped(long before, long compare, long swap, long compareMask, long swapMask) {
        long after = 0;
        for (int bit = 0; bit < 64; bit++) {
            boolean compared = ((compareMask >>> bit) & 1) == 1;
            if (compared && ((before >>> bit) & 1) != (compare >>> bit & 1)) {
                return before;
            }
            long from = ((swapMask >>> bit) & 1) == 1 ? swap : before;
            after |= from & (1L << bit);
        }
        return after;
    }

    private static byte[] octets(long value) {
        return buffer(new byte[8]).putLong(0, value).array();
    }

    private static ByteBuffer buffer(byte... octets) {
        return ByteBuffer.wrap(octets).order(ByteOrder.nativeOrder());
    }
}
