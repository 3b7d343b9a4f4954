package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Opcode;

/**
 * What a busy stream nearly always sends: Sends and Writes of one piece, or of inline data, that are short enough to be
 * copied. One loop makes them FPDUs, with one pin a run of one region. Whatever is not just so is left where it is:
 * {@link SendMessages} takes it, and makes the same octets of all that is taken here.
 */
final class PredictedSend {
    private static final int SEND = DdpHeader.untaggedControls(true, Opcode.SEND);
    private static final int SEND_SE = DdpHeader.untaggedControls(true, Opcode.SEND_SE);
    private static final int WRITE = DdpHeader.taggedControls(true, Opcode.RDMA_WRITE);
    private static final int EXPECTED_FLAGS = SendFlag.SIGNALED | SendFlag.SOLICITED | SendFlag.INLINE;

    private final SendRing sends;
    private final Protection protection;
    private final FpduWriter writer;
    // How many Sends the last run had.
    private int sent;
    private long total;

    PredictedSend(SendRing sends, Protection protection, FpduWriter writer) {
        this.sends = sends;
        this.protection = protection;
        this.writer = writer;
    }

    /** Returns how many Sends the last run had. */
    int sent() {
        return sent;
    }

    /** Returns how many requests all runs have taken. */
    long total() {
        return total;
    }

    /**
     * Builds the requests from {@code next} on, up to {@code end}, as long as they are what is expected and the batch
     * has room, the first Send with {@code msn}; returns how many.
     */
    int build(long next, long end, int msn) {
        sent = 0;
        if (!isExpected(sends.slot(next))) {
            return 0;
        }
        int used = writer.beginRun();
        int built = 0;
        int sendMsn = msn;
        try {
            while (next + built < end && writer.runHasRoom(used)) {
                int slot = sends.slot(next + built);
                int size = isExpected(slot) ? buildOne(slot, used, sendMsn) : 0;
                if (size == 0) {
                    break;
                }
                used += size;
                built++;
                sendMsn += sends.operation(slot) == SendOpcode.SEND ? 1 : 0;
                sends.sent(slot);
            }
        } finally {
            protection.leave();
            writer.endRun(used);
            sent = sendMsn - msn;
            total += built;
        }
        return built;
    }

    private boolean isExpected(int slot) {
        SendOpcode operation = sends.operation(slot);
        return (operation == SendOpcode.SEND || operation == SendOpcode.RDMA_WRITE)
                && (sends.flags(slot) & ~EXPECTED_FLAGS) == 0
                && sends.totalBytes(slot) <= writer.runPayload()
                && sends.sgeCount(slot) <= 1;
    }

    /** Builds the FPDU of the request at {@code slot}; returns its octets, 0 if its memory refuses. */
    private int buildOne(int slot, int at, int msn) {
        MemorySegment slab = writer.slab();
        int payload = (int) sends.totalBytes(slot);
        int flags = sends.flags(slot);
        int length;
        if (sends.operation(slot) == SendOpcode.SEND) {
            length = DdpHeader.UNTAGGED_BYTES + payload;
            int controls = (flags & SendFlag.SOLICITED) == 0 ? SEND : SEND_SE;
            Fpdu.emitUntagged(slab, at, length, controls, Opcode.QN_SEND, msn);
        } else {
            length = DdpHeader.TAGGED_BYTES + payload;
            Fpdu.emitTagged(slab, at, length, WRITE, sends.rkey(slot), sends.remoteAddress(slot));
        }
        int behind = at + Fpdu.LENGTH_BYTES + length;
        boolean copied = payload == 0 || copy(slot, (flags & SendFlag.INLINE) != 0, slab, behind - payload, payload);
        return copied ? writer.sealRun(at, length) : 0;
    }

    private boolean copy(int slot, boolean inline, MemorySegment slab, int to, int payload) {
        if (inline) {
            MemorySegment.copy(sends.inline(), sends.inlineOffset(slot), slab, to, payload);
            return true;
        }
        int piece = sends.firstSge(slot);
        return protection.enterNext(sends.sgeLkey(piece), sends.sgeAddress(piece), payload, Protection.ANY)
                && !protection.mayVanish()
                && protection.copyOut(0, slab, to, payload);
    }
}
