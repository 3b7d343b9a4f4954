package org.panamaverbs.iwarp.core;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.TerminateCause;
import org.panamaverbs.api.TerminateReason;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;

/**
 * One RDMAP stream: what a queue pair does once it has a TCP connection (RFC 5040, RFC 5041, RFC 5044, RFC 7306).
 *
 * <p>The driver serialises all calls. It moves octets: it reads into {@link #receiveBuffers} and says
 * {@link #received}, it writes {@link #transmitBuffers} and says {@link #transmitted}; each pair belongs together, also
 * for 0 octets, because registered memory is pinned in between. After each it looks at {@link #closeAction} and
 * {@link #hasDeadline}.
 */
public final class Stream {
    // What is received only to be thrown away; nobody reads it, so all streams share it.
    private static final ByteBuffer WASTE = ByteBuffer.allocateDirect(4096);

    private static final long[] UNKNOWN = {0};

    private final StreamParts parts;
    private final Lifecycle life;
    private final Gather gather;
    private final GatherList batch;
    private final Transmitter transmitter;
    private final FpduReceiver fpdus;
    private final StreamTimers timers;
    private final Completions completions;
    private final boolean mayNudge;
    private final ByteBuffer wasteBin = WASTE.duplicate();
    private final ByteBuffer[] waste = {wasteBin};
    private boolean wasting;

    /**
     * Makes a stream in state IDLE.
     *
     * @param config sizes
     * @param stags the STags of the context
     * @param buffers the memory that batches are built in
     * @param sendSink where sends complete
     * @param receiveSink where receives complete
     * @param receives where receives come from
     * @param ownReceives the same if it is the queue pair's own, to be flushed; null with a shared receive queue
     * @param listener hears of events
     */
    public Stream(
            StreamConfig config,
            StagTable stags,
            BufferPool buffers,
            CompletionSink sendSink,
            CompletionSink receiveSink,
            ReceiveSource receives,
            @Nullable ReceiveRing ownReceives,
            StreamListener listener) {
        parts = new StreamParts(
                config, stags, buffers, sendSink, receiveSink, receives, ownReceives, listener, new Deliveries());
        life = new Lifecycle(parts);
        gather = parts.gather;
        batch = gather.list();
        transmitter = parts.transmitter;
        fpdus = parts.fpdus;
        timers = parts.timers;
        completions = parts.completions;
        mayNudge = config.nudge();
    }

    private final class Deliveries implements Receiver.Listener {
        @Override
        public void onFirstSegment() {
            if (!transmitter.isAllowed()) {
                transmitter.allow();
                parts.listener.event(StreamEvent.COMMUNICATION_ESTABLISHED, null);
            }
        }

        @Override
        public void onTerminate(Terminate terminate) {
            life.peerTerminated(terminate);
        }

        @Override
        public void onReceived(long wrId, WcOpcode opcode, long byteCount, int flags, long immediateOrStag) {
            completions.received(wrId, opcode, byteCount, flags, immediateOrStag);
            stopIfOverrun();
        }

        @Override
        public void onResponded() {
            completions.retire();
            stopIfOverrun();
        }

        @Override
        public void onReceiveFailed(long wrId, WcStatus status) {
            completions.receiveFailed(wrId, status);
        }

        // RFC 5040 §8.1.1: the stream is over, also for what came together with the message.
        private void stopIfOverrun() {
            if (completions.overrun()) {
                fpdus.stop();
            }
        }
    }

    // ---- commands -------------------------------------------------------------------------------------------------

    /** Returns where sends are posted. */
    public SendCommands sends() {
        return parts.commands;
    }

    /** Returns where receives are posted, if the queue pair has its own receive queue. */
    public ReceiveCommands receives() {
        return parts.receiveCommands;
    }

    /** Begins full operation on a connection that is set up. */
    public void start(Negotiated negotiated, long now) {
        life.start();
        timers.start(mayNudge && negotiated.initiator(), now);
        boolean readRtr = negotiated.rtr() == Rtr.READ;
        // RFC 6581 §9.1: a ready-to-receive Read takes a slot on both sides.
        parts.outstanding.limit(Math.max(negotiated.ord(), readRtr && negotiated.initiator() ? 1 : 0));
        parts.inbound.limit(Math.max(negotiated.ird(), 1));
        transmitter.start(negotiated);
        parts.receiver.start(negotiated);
        fpdus.start(negotiated.crc(), negotiated.markersIn());
    }

    /** Closes gracefully: what is posted so far is sent and answered, then the output is shut. */
    public void disconnect(long now) {
        life.disconnect(now);
    }

    /** Ends at once: everything is flushed and the connection is to be reset. */
    public void abort(long now) {
        life.abort();
    }

    /** Fails by a fault of this side: a Terminate is sent, everything is flushed. */
    public void fail(Fault localFault, long now) {
        parts.offender.clear();
        life.terminate(localFault, now);
    }

    // ---- receiving ------------------------------------------------------------------------------------------------

    /**
     * Returns where the next octets must land, in this order; valid until {@link #received}.
     *
     * @param staging nobody else's until then
     */
    public ByteBuffer[] receiveBuffers(Staging staging) {
        wasting = !life.acceptsInput();
        if (wasting) {
            wasteBin.clear();
            return waste;
        }
        return fpdus.buffers(staging);
    }

    /**
     * Returns how many of the {@link #receiveBuffers} count; 0 if nothing is to be read any more. Call it after them.
     */
    public int receiveBufferCount() {
        return !life.reads() ? 0 : wasting ? 1 : fpdus.bufferCount();
    }

    /** Returns the address of index 0 of each of the {@link #receiveBuffers}, 0 where it is not known. */
    public long[] receiveBases() {
        return wasting ? UNKNOWN : fpdus.bases();
    }

    /** Takes the {@code octets} that were stored over the receive buffers; 0 if there were none. */
    public void received(long octets, long now) {
        if (wasting) {
            return;
        }
        if (octets > 0 && !life.reads()) {
            // RFC 5041 §6.2.1: "any further data received after the request is considered an error".
            life.lost(TerminateReason.MPA_CONNECTION_LOST, "octets arrived behind the peer's FIN");
            return;
        }
        TerminateCode code = fpdus.received(Math.max(0, octets));
        if (code != null && life.acceptsInput()) {
            life.terminate(Fault.received(code), now);
        }
        life.settle(now);
    }

    /** Hears of the peer's FIN. */
    public void endOfStream(long now) {
        life.endOfStream(now);
    }

    /** Hears that the connection is of no use any more. */
    public void lost(TerminateReason reason, String detail, long now) {
        life.lost(reason, detail);
    }

    // ---- transmitting ---------------------------------------------------------------------------------------------

    /** Returns the gather list to be written; valid until {@link #transmitted}. */
    public ByteBuffer[] transmitBuffers(long now) {
        if (gather.isEmpty() && life.sends()) {
            Fault found = transmitter.fill();
            if (found != null) {
                life.terminate(found, now);
                // An empty batch has room for the Terminate right away.
                transmitter.fill();
            }
            completions.retire();
        }
        // With a batch under way or nothing more to be sent, a bind that waits is not tried again before that changes.
        timers.retry(gather.isEmpty() && life.sends() && transmitter.retrySoon(), now);
        if (state() != StreamState.CLOSED && !batch.pinRest()) {
            life.memoryGone();
        }
        return batch.entries();
    }

    /** Returns the address of index 0 of each of the {@link #transmitBuffers}, 0 where it is not known. */
    public long[] transmitBases() {
        return batch.bases();
    }

    /** Returns the index of the first buffer that counts. */
    public int transmitBufferOffset() {
        return batch.first();
    }

    /** Returns how many buffers count; 0 if there is nothing to send. */
    public int transmitBufferCount() {
        return state() == StreamState.CLOSED ? 0 : batch.remaining();
    }

    /** Says that {@code octets} were written; the positions of the buffers have moved by as much. */
    public void transmitted(long octets, long now) {
        gather.written();
        if (state() != StreamState.CLOSED) {
            transmitter.written(octets);
            life.settle(now);
        }
    }

    /** Tells whether {@link #transmitBuffers} would have something. */
    public boolean wantsTransmit() {
        return (life.sends() && transmitter.wantsTransmit()) || (state() != StreamState.CLOSED && !gather.isEmpty());
    }

    // ---- ending ---------------------------------------------------------------------------------------------------

    /** Returns what has to be done with the socket. */
    public CloseAction closeAction() {
        return life.closeAction();
    }

    /** Hears that the output is shut. */
    public void outputShutDown(long now) {
        life.outputShutDown();
    }

    /** Hears that the socket is closed. */
    public void closed(long now) {
        life.closed();
    }

    /** Tells whether {@link #deadlineNanos} counts. */
    public boolean hasDeadline() {
        return state() != StreamState.CLOSED && timers.isSet();
    }

    /** Returns the time at which {@link #timeout} is due. */
    public long deadlineNanos() {
        return timers.deadlineNanos();
    }

    /** Hears that the deadline has passed; calls before it do nothing. */
    public void timeout(long now) {
        if (timers.lingerIsOver(now)) {
            life.timedOut();
        } else if (timers.takeNudge(now) && transmitter.hasSent()) {
            // Linux siw overlooks what arrives while it attaches the socket, until more arrives.
            transmitter.nudge();
        }
    }

    /**
     * Returns what of the stream has not moved for {@code limitNanos}, null if nothing stands still. It compares with
     * what it saw the last time: call it several times within the limit, and whenever it suits.
     */
    public @Nullable String stall(long now, long limitNanos) {
        return life.stall(now, limitNanos);
    }

    /**
     * Ends a stream whose peer has stopped, as {@code what} says: the oldest send that is not done completes with
     * {@link WcStatus#RETRY_EXCEEDED}, the others are flushed, and the connection is to be reset.
     */
    public void stalled(String what, long now) {
        life.stalled(what);
    }

    // ---- state ----------------------------------------------------------------------------------------------------

    /** Returns the state. */
    public StreamState state() {
        return life.state();
    }

    /** Returns the first fault, null without. */
    public @Nullable Fault fault() {
        return life.fault();
    }

    /** Returns the first fault as the application sees it, null without. */
    public @Nullable TerminateCause terminateCause() {
        Fault found = fault();
        return found == null ? null : found.cause();
    }

    /** Tells whether everything that was posted is done. */
    public boolean idle() {
        boolean quiet = state() == StreamState.CLOSED || (gather.isEmpty() && parts.inbound.isEmpty());
        return quiet && parts.sends.head() == parts.sends.tail();
    }
}
