package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;

/** Completes work requests in the order in which they were posted, each exactly once (RFC 5040 §5.5). */
final class Completions {
    private final StreamConfig config;
    private final SendRing sends;
    private final CompletionSink sendSink;
    private final CompletionSink receiveSink;
    private final @Nullable ReceiveRing ownReceives;
    private boolean overrun;
    // For statistics, which read them on other threads.
    private long receivesDone;
    private long flushedSends;
    private long flushedReceives;
    private int vendorError;

    public Completions(
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
    }

    /** Tells whether a completion was lost. */
    public boolean overrun() {
        return overrun;
    }

    /** Returns how many receives were completed, in success or error. */
    public long receivesDone() {
        return receivesDone;
    }

    /** Returns how many sends were flushed. */
    public long flushedSends() {
        return flushedSends;
    }

    /** Returns how many receives were flushed. */
    public long flushedReceives() {
        return flushedReceives;
    }

    /** Hears why the stream fails: whatever completes in error from now on says so. */
    public void blame(Fault fault) {
        vendorError = fault.vendorError();
    }

    /** Completes a receive with success. */
    public void received(long wrId, WcOpcode opcode, long byteCount, int flags, long immediateOrStag) {
        long number = receiveSink.complete(
                wrId, WcStatus.SUCCESS, opcode, config.qpNumber(), byteCount, flags, immediateOrStag, 0);
        overrun |= number == CompletionSink.LOST;
        receivesDone++;
    }

    /** Returns how many more receives can be completed; others may take of it meanwhile. */
    public int receiveRoom() {
        return receiveSink.room();
    }

    /** Completes the receives of {@code run} with success. */
    public void received(CompletionRun run) {
        overrun |= receiveSink.complete(run, config.qpNumber()) == CompletionSink.LOST;
        receivesDone += run.count();
    }

    /** Completes a receive in error. */
    public void receiveFailed(long wrId, WcStatus status) {
        long number = receiveSink.complete(wrId, status, WcOpcode.RECV, config.qpNumber(), 0, 0, 0, vendorError);
        overrun |= number == CompletionSink.LOST;
        receivesDone++;
        if (status == WcStatus.WR_FLUSH_ERROR) {
            flushedReceives++;
        }
    }

    /** Completes the oldest sends that are done. */
    public void retire() {
        while (sends.head() != sends.tail()) {
            int slot = sends.slot(sends.head());
            if (sends.state(slot) != RequestState.DONE) {
                return;
            }
            if (config.signalAll() || (sends.flags(slot) & SendFlag.SIGNALED) != 0) {
                complete(slot, WcStatus.SUCCESS, sends.totalBytes(slot), 0);
            }
            sends.retire(slot);
        }
    }

    /**
     * Completes every send that was posted: up to the first one that is not done with success, that one with its
     * status, and everything behind it flushed, as verbs do in the error state.
     */
    public void flushSends() {
        retire();
        while (sends.head() != sends.published()) {
            int slot = sends.slot(sends.head());
            if (sends.state(slot) == RequestState.FAILED) {
                complete(slot, sends.status(slot), 0, sends.vendorError(slot));
            } else {
                complete(slot, WcStatus.WR_FLUSH_ERROR, 0, vendorError);
                flushedSends++;
            }
            sends.retire(slot);
        }
    }

    /**
     * Completes a send of {@code octets} that was carried out and never was in the queue, where all others are
     * complete.
     */
    public void passed(long wrId, SendOpcode operation, long octets, int flags) {
        long number = SendRing.NO_COMPLETION;
        if (config.signalAll() || (flags & SendFlag.SIGNALED) != 0) {
            number = Math.max(0, complete(wrId, operation, WcStatus.SUCCESS, octets, 0));
        }
        // No deeper than the call before: what has completed does not do so again.
        sends.pass(operation, octets, number);
    }

    private void complete(int slot, WcStatus status, long byteCount, int error) {
        long number = complete(sends.wrId(slot), sends.operation(slot), status, byteCount, error);
        sends.completed(slot, Math.max(0, number));
    }

    private long complete(long wrId, SendOpcode operation, WcStatus status, long byteCount, int error) {
        long number =
                sendSink.complete(wrId, status, operation.completion(), config.qpNumber(), byteCount, 0, 0, error);
        overrun |= number == CompletionSink.LOST;
        return number;
    }

    /** Gives the places of requests back whose completion, or that of a later one, the application has taken. */
    void release() {
        sends.release(sendSink.taken());
    }

    /** Flushes the receives of the queue pair's own queue. */
    public void flushReceives() {
        ReceiveRing ring = ownReceives;
        while (ring != null && ring.head != ring.tail) {
            receiveFailed(ring.oldest(), WcStatus.WR_FLUSH_ERROR);
            // Behind the completion: one that fails is repeated.
            ring.head++;
        }
    }
}
