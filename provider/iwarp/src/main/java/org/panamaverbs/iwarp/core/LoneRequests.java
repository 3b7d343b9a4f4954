package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.SendOpcode;

/**
 * Requests that are carried out on memory of the peer without being put in line: where all before is done and this one
 * would be carried out at once, the send queue would keep it for nobody. What is done and completes is the same. Each
 * method answers false if the request is to be posted instead, to which it is said what there is to say; then it has
 * not completed, and a Write may have begun, as one that fails on the way.
 *
 * @see Stream#carryOut()
 */
public final class LoneRequests {
    private final Stream stream;
    private final SendCommands sends;
    private final Transmitter transmitter;
    private final DirectRequests direct;
    private final Completions completions;

    LoneRequests(StreamParts parts, Stream stream) {
        this.stream = stream;
        sends = parts.commands;
        transmitter = parts.transmitter;
        direct = parts.direct;
        completions = parts.completions;
    }

    /** Carries out a Write or Read with one local piece, whose arguments are those of the post. */
    public boolean transfer(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            int flags) {
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

    /** Carries out a Write of a copy of {@code data}, whose arguments are those of the post. */
    public boolean writeInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            int flags) {
        boolean valid = operation == SendOpcode.RDMA_WRITE && length > 0 && length <= sends.maxInlineBytes();
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

    /** Tells whether a completion was lost: the stream is to end. */
    public boolean isOverrun() {
        return completions.overrun();
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
