package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.FpduCrc;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.memory.Access;

/**
 * Header prediction: what a busy stream nearly always gets next is a whole FPDU with a Send of one segment, for a
 * posted receive of one piece, or with the last segment of a Write. A few wide loads decide that it is one of them and
 * in order, and a loop takes it: one pin a run of one region, one publication of the completions a run, at most
 * {@link CompletionRun#MOST} messages.
 *
 * <p>Whatever is not just so is left where it lies: {@link FpduReceiver} and {@link Receiver} take it, and they judge
 * and do the same of all that is taken here.
 */
final class PredictedReceive {
    private static final int SEND = DdpHeader.untaggedControls(true, Opcode.SEND);
    private static final int SEND_SE = DdpHeader.untaggedControls(true, Opcode.SEND_SE);
    private static final int WRITE = DdpHeader.taggedControls(true, Opcode.RDMA_WRITE);
    // With length, header and CRC field a Send has more; what is as short as an empty Write is left.
    private static final int HEADER_BYTES = Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES;

    private final Receiver receiver;
    private final Protection protection;
    private final Completions completions;
    // Null where receives come from a shared queue.
    private final @Nullable ReceiveRing receives;
    // The peer's ring, and what completes in a run of it; null without.
    private @Nullable SharedRing ring;
    private @Nullable CompletionRun inPlace;
    // Messages of the last run.
    private int messages;
    private long total;

    PredictedReceive(
            Receiver receiver, Protection protection, Completions completions, @Nullable ReceiveRing receives) {
        this.receiver = receiver;
        this.protection = protection;
        this.completions = completions;
        this.receives = receives;
    }

    /** Has what the peer puts into its ring be taken where it lies; null for none. */
    void ring(@Nullable SharedRing rings) {
        ring = rings;
        inPlace = rings == null ? null : new CompletionRun();
    }

    /** Returns how many messages the last run has taken. */
    int messages() {
        return messages;
    }

    /** Returns how many messages all runs have taken. */
    long total() {
        return total;
    }

    /**
     * Takes the FPDUs that begin at {@code begin} of {@code staging}, of which octets are there up to {@code end}, as
     * long as they are what is expected; returns their octets.
     */
    int take(Staging staging, FpduCrc crc, int begin, int end) {
        messages = 0;
        if (!receiver.isBetweenMessages()) {
            return 0;
        }
        CompletionRun run = staging.run;
        int at = begin;
        run.clear();
        try {
            int room = Math.min(CompletionRun.MOST, completions.receiveRoom());
            while (end - at >= Fpdu.MIN_BYTES && messages < room) {
                int size = takeOne(run, staging.memory, at, end - at, crc, staging.checked);
                if (size == 0) {
                    break;
                }
                at += size;
                messages++;
            }
        } finally {
            protection.leave();
            deliver(run);
        }
        total += messages;
        return at - begin;
    }

    /**
     * The same of the next {@code available} octets of the peer's ring, few, which have no CRC. The peer may change
     * them meanwhile: each word of a header is loaded once and judged as it was loaded, and payload is copied once, to
     * its place.
     */
    int take(int available) {
        messages = 0;
        SharedRing from = ring;
        CompletionRun run = inPlace;
        if (from == null || run == null || available < HEADER_BYTES || !receiver.isBetweenMessages()) {
            return 0;
        }
        MemorySegment input = from.input();
        int begin = from.next();
        int end = begin + available;
        int at = begin;
        // As a read takes: the peer has room again, and the region is left, before it has waited for long.
        int enough = begin + (int) Math.min(Staging.BYTES, input.byteSize() / 4);
        run.clear();
        try {
            int room = Math.min(CompletionRun.MOST, completions.receiveRoom());
            while (end - at >= HEADER_BYTES && messages < room && at < enough) {
                int size = takeOne(run, input, at, end - at, null, null);
                if (size == 0) {
                    break;
                }
                at += size;
                messages++;
            }
        } finally {
            protection.leave();
            if (at != begin) {
                from.take(at - begin);
            }
            deliver(run);
        }
        total += messages;
        return at - begin;
    }

    private void deliver(CompletionRun run) {
        ReceiveRing posted = receives;
        if (posted != null && run.count() > 0) {
            receiver.onReceives(run);
            // Behind it: receives whose completion fails are flushed when the stream ends.
            posted.head += run.count();
        }
    }

    /** Takes the FPDU at {@code at} of {@code from}, whose octets {@code checked} has as well where there is a CRC. */
    private int takeOne(
            CompletionRun run,
            MemorySegment from,
            int at,
            int available,
            @Nullable FpduCrc crc,
            @Nullable ByteBuffer checked) {
        long first = Fpdu.first(from, at);
        long second = Fpdu.second(from, at);
        int mo = Fpdu.mo(from, at);
        // What was loaded is what counts: nothing of it is loaded again behind this.
        VarHandle.acquireFence();
        int length = Fpdu.ulpduLength(first);
        int size = Fpdu.size(length);
        int controls = Fpdu.controls(first);
        if (size > available) {
            return 0;
        }
        int crcAt = at + size - Fpdu.CRC_BYTES;
        if (controls == WRITE) {
            int payload = length - DdpHeader.TAGGED_BYTES;
            int behind = at + Fpdu.LENGTH_BYTES + DdpHeader.TAGGED_BYTES;
            boolean taken = payload >= 0
                    && enter(Fpdu.stag(first), second, payload, Access.REMOTE_WRITE)
                    && covers(crc, checked, from, at, crcAt)
                    && place(from, behind, payload);
            return taken ? size : 0;
        }
        ReceiveRing posted = receives;
        if (posted == null || (controls != SEND && controls != SEND_SE)) {
            return 0;
        }
        int payload = length - DdpHeader.UNTAGGED_BYTES;
        int slot = payload < 0 ? ReceiveRing.NONE : posted.single(run.count(), payload);
        // Queue number, MSN and MO.
        if (slot == ReceiveRing.NONE || second != receiver.expectedSend(run.count()) || mo != 0) {
            return 0;
        }
        int behind = at + Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES;
        if (!enter(posted.lkey(slot), posted.address(slot), payload, Access.LOCAL_WRITE)
                || !covers(crc, checked, from, at, crcAt)
                || !place(from, behind, payload)) {
            return 0;
        }
        run.add(posted.wrId(slot), payload, controls == SEND_SE);
        return size;
    }

    private static boolean covers(
            @Nullable FpduCrc crc, @Nullable ByteBuffer checked, MemorySegment from, int at, int crcAt) {
        return crc == null || checked == null || crc.covers(checked, from, at, crcAt);
    }

    // No octets need no memory (RFC 5041 §5.2). What may vanish is accessed with care, by the general path.
    private boolean enter(int stag, long to, int length, Access right) {
        return length == 0 || (protection.enterNext(stag, to, length, right) && !protection.mayVanish());
    }

    private boolean place(MemorySegment from, int at, int payload) {
        return payload == 0 || protection.copyIn(from, at, payload);
    }
}
