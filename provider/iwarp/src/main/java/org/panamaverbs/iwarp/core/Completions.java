package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;

/** Completes work requests in the order in which they were posted, each exactly once (RFC 5040 §5.5). */
final class Completions {
    private final StreamConfig config;
    private final SendRing sends;
    private final CompletionSink sendSink;
    private final CompletionSink receiveSink;
    private final @Nullable ReceiveRing ownReceives;
    private final ReceiveSlot flushed;
    private boolean overrun;
    private int vendorError;

    Completions(
            StreamConfig config,
            SendRing sends,
            CompletionSink sendSink,
            CompletionSink receiveSink,
            @Nullable ReceiveRing ownReceives) {
        this.config = config;
        this.sends = sends;
        this.sendSink = sendSink;
        this.receiveSink = receiveSink;
        this.ownReceives = ownReceives;
        flushed = new ReceiveSlot(config.maxRecvSge());
    }

    /** Tells whether a completion was lost. */
    boolean overrun() {
        return overrun;
    }

    /** Hears why the stream fails: whatever completes in error from now on says so. */
    void blame(Fault fault) {
        vendorError = fault.vendorError();
    }

    /** Completes a receive with success. */
    void received(long wrId, WcOpcode opcode, long byteCount, int flags, long immediateOrStag) {
        overrun |= !receiveSink.complete(
                wrId, WcStatus.SUCCESS, opcode, config.qpNumber(), byteCount, flags, immediateOrStag, 0);
    }

    /** Completes a receive in error. */
    void receiveFailed(long wrId, WcStatus status) {
        overrun |= !receiveSink.complete(wrId, status, WcOpcode.RECV, config.qpNumber(), 0, 0, 0, vendorError);
    }

    /** Completes the oldest sends that are done. */
    void retire() {
        while (sends.head() != sends.tail() && sends.state[sends.slot(sends.head())] == SendRing.DONE) {
            int slot = sends.slot(sends.head());
            if (config.signalAll() || (sends.flags[slot] & SendFlag.SIGNALED) != 0) {
                complete(slot, WcStatus.SUCCESS, sends.totalBytes[slot], 0);
            }
            sends.retire();
        }
    }

    /**
     * Completes every send that was posted: up to the first one that is not done with success, that one with its
     * status, and everything behind it flushed, as verbs do in the error state.
     */
    void flushSends() {
        retire();
        while (sends.head() != sends.published()) {
            int slot = sends.slot(sends.head());
            if (sends.state[slot] == SendRing.FAILED) {
                complete(slot, sends.status[slot], 0, sends.vendorError[slot]);
            } else {
                complete(slot, WcStatus.WR_FLUSH_ERROR, 0, vendorError);
            }
            sends.retire();
        }
    }

    private void complete(int slot, WcStatus status, long byteCount, int error) {
        overrun |= !sendSink.complete(
                sends.wrId[slot],
                status,
                SendCommands.completionOf(sends.operation[slot]),
                config.qpNumber(),
                byteCount,
                0,
                0,
                error);
    }

    /** Flushes the receives of the queue pair's own queue. */
    void flushReceives() {
        ReceiveRing ring = ownReceives;
        while (ring != null && ring.take(flushed)) {
            receiveFailed(flushed.wrId, WcStatus.WR_FLUSH_ERROR);
        }
    }
}
