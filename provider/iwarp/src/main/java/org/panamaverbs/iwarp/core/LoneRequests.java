package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.memory.access.FaultSafeMemory;

/**
 * Requests that are carried out on memory of the peer, or built where the peer takes them, without being put in line:
 * where all before is done and this one would be carried out or sent at once, the send queue would keep it for nobody.
 * What is done, sent and completes is the same. Each method answers false if the request is to be posted instead, to
 * which it is said what there is to say; then it has not completed, and a Write may have begun, as one that fails on
 * the way.
 *
 * @see Stream#carryOut()
 */
public final class LoneRequests {
    private static final int SEND = DdpHeader.untaggedControls(true, Opcode.SEND);
    private static final int SEND_SE = DdpHeader.untaggedControls(true, Opcode.SEND_SE);
    private static final int BEFORE_PAYLOAD = Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES;
    // Longer payload the peer takes while the rest is put there.
    private static final int MOST_IN_RING = 4096;

    private final Stream stream;
    private final SendCommands sends;
    private final Transmitter transmitter;
    private final DirectRequests direct;
    private final Completions completions;
    private final Protection protection;
    private final FpduWriter writer;
    private @Nullable SharedRing ring;
    // The bell of the ring is to be looked after.
    private boolean bell;
    // Of the requests that were built in the ring; for statistics, which read them on other threads.
    private long sent;
    private long octetsSent;

    LoneRequests(StreamParts parts, Stream stream) {
        this.stream = stream;
        sends = parts.commands;
        transmitter = parts.transmitter;
        direct = parts.direct;
        completions = parts.completions;
        protection = parts.protection;
        writer = parts.writer;
    }

    /** Has short requests be built in {@code rings}; null for none. */
    void ring(@Nullable SharedRing rings) {
        ring = rings;
    }

    /** Returns how many requests were built in the ring; any thread. */
    public long sent() {
        return sent;
    }

    /** Returns how many octets these were; any thread. */
    public long octetsSent() {
        return octetsSent;
    }

    /** Carries out or sends a transfer with one local piece, whose arguments are those of the post. */
    public boolean transfer(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            int flags) {
        if (operation == SendOpcode.SEND) {
            return send(wrId, address, length, lkey, flags);
        }
        boolean known = operation == SendOpcode.RDMA_WRITE
                || (operation == SendOpcode.RDMA_READ && sends.initiatorDepth() != 0);
        if (!known || length <= 0 || length > DirectRequests.PIECE || !mayCarryOut(flags)) {
            return false;
        }
        boolean done = operation == SendOpcode.RDMA_WRITE
                ? direct.write(address, length, lkey, remoteAddress, rkey)
                : direct.read(address, length, lkey, remoteAddress, rkey);
        return done && passed(wrId, operation, length, flags);
    }

    /** Carries out a Write, or sends a Send, of a copy of {@code data}, whose arguments are those of the post. */
    public boolean inline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            int flags) {
        if (length > sends.maxInlineBytes()) {
            return false;
        }
        if (operation == SendOpcode.SEND) {
            return sendInline(wrId, data, offset, length, flags);
        }
        boolean valid = operation == SendOpcode.RDMA_WRITE && length > 0;
        return valid
                && mayCarryOut(flags)
                && direct.writeInline(data, offset, length, remoteAddress, rkey)
                && passed(wrId, operation, length, flags);
    }

    /** Carries out an Atomic, whose arguments are those of the post. */
    public boolean atomic(
            SendOpcode operation,
            long wrId,
            long address,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap,
            long compareOrFieldMask,
            long swapMask,
            int flags) {
        return operation.isAtomic()
                && sends.initiatorDepth() != 0
                && mayCarryOut(flags)
                && direct.atomic(
                        operation, address, lkey, remoteAddress, rkey, compareOrAdd, swap, compareOrFieldMask, swapMask)
                && passed(wrId, operation, Long.BYTES, flags);
    }

    private boolean send(long wrId, long address, long length, int lkey, int flags) {
        SharedRing to = ring;
        int at = to == null ? SharedRing.NONE : place(to, length, flags);
        if (to == null || at < 0) {
            return false;
        }
        boolean copied = length == 0 || copyOut(address, length, lkey, to.output(), at + BEFORE_PAYLOAD);
        return copied && sent(to, at, wrId, (int) length, flags);
    }

    private boolean sendInline(long wrId, MemorySegment data, long offset, long length, int flags) {
        SharedRing to = ring;
        int at = to == null ? SharedRing.NONE : place(to, length, flags);
        if (to == null || at < 0) {
            return false;
        }
        try {
            if (!FaultSafeMemory.copy(data.isMapped(), data, offset, to.output(), at + BEFORE_PAYLOAD, length)) {
                return false;
            }
        } catch (RuntimeException e) {
            return false;
        }
        return sent(to, at, wrId, (int) length, flags);
    }

    /** Returns where in the ring a Send of {@code length} octets belongs; negative if it is to be put in line. */
    private int place(SharedRing to, long length, int flags) {
        return maySend(length, flags)
                ? to.reserve(Fpdu.size(DdpHeader.UNTAGGED_BYTES + (int) length))
                : SharedRing.NONE;
    }

    private boolean maySend(long length, int flags) {
        return length >= 0
                && length <= MOST_IN_RING
                && writer.payload(length, DdpHeader.UNTAGGED_BYTES) == length
                && stream.state() == StreamState.ESTABLISHED
                && transmitter.predicts()
                && sends.takes(flags)
                && transmitter.isIdle();
    }

    private boolean copyOut(long address, long bytes, int lkey, MemorySegment to, int at) {
        if (protection.enter(lkey, address, bytes, Protection.ANY) != AccessCheck.OK) {
            return false;
        }
        try {
            return protection.copyOut(0, to, at, bytes);
        } finally {
            protection.leave();
        }
    }

    /** Sends what is at {@code at} of the ring, of which the payload is there. */
    private boolean sent(SharedRing to, int at, long wrId, int payload, int flags) {
        MemorySegment memory = to.output();
        int ulpdu = DdpHeader.UNTAGGED_BYTES + payload;
        int size = Fpdu.size(ulpdu);
        int controls = (flags & SendFlag.SOLICITED) == 0 ? SEND : SEND_SE;
        Fpdu.emitUntagged(memory, at, ulpdu, controls, Opcode.QN_SEND, transmitter.nextMsn());
        Fpdu.emitPad(memory, at + BEFORE_PAYLOAD + payload, ulpdu);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, at + size - Fpdu.CRC_BYTES, 0);
        sent++;
        octetsSent += size;
        bell |= to.publish(size);
        // Before the completion, as in passed.
        transmitter.passedSend(size);
        completions.passed(wrId, SendOpcode.SEND, payload, flags);
        return true;
    }

    /** Tells whether the stream is to be looked after: a completion was lost, or the bell of the ring is due. */
    public boolean needsPass() {
        boolean rings = bell;
        bell = false;
        return rings || completions.overrun();
    }

    private boolean mayCarryOut(int flags) {
        return direct.isReaching()
                && stream.state() == StreamState.ESTABLISHED
                && sends.takes(flags)
                && transmitter.isIdle()
                && direct.isCaughtUp();
    }

    private boolean passed(long wrId, SendOpcode operation, long octets, int flags) {
        // First: what fails behind it ends the stream, and is flushed with the queue.
        transmitter.passed();
        completions.passed(wrId, operation, octets, flags);
        return true;
    }
}
