package org.panamaverbs.iwarp.core.stream;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.iwarp.TerminateCause;
import org.panamaverbs.api.iwarp.TerminateReason;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.fault.StreamEvent;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.receive.FpduReceiver;
import org.panamaverbs.iwarp.core.receive.ReceiverListener;
import org.panamaverbs.iwarp.core.receive.Staging;
import org.panamaverbs.iwarp.core.send.BufferPool;
import org.panamaverbs.iwarp.core.send.DirectRequests;
import org.panamaverbs.iwarp.core.send.FpduWriter;
import org.panamaverbs.iwarp.core.send.PeerMemory;
import org.panamaverbs.iwarp.core.send.Transmitter;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.core.work.Completions;
import org.panamaverbs.iwarp.core.work.ReceiveCommands;
import org.panamaverbs.iwarp.core.work.SendCommands;
import org.panamaverbs.iwarp.core.work.StreamConfig;
import org.panamaverbs.iwarp.core.work.StreamState;
import org.panamaverbs.iwarp.io.IoVector;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;

/**
 * One RDMAP stream: what a queue pair does once it has a TCP connection (RFC 5040, RFC 5041, RFC 5044, RFC 7306).
 *
 * <p>The driver serialises all calls. It moves octets: it reads into {@link #receiveInto} and says {@link #received},
 * it writes what is to be {@linkplain #transmit transmitted} and says {@link #sent}; each pair belongs together, also
 * for 0 octets, because registered memory is pinned in between. After each it looks at {@link #closeAction} and
 * {@link #hasDeadline}.
 */
public final class Stream {
    /** What one request counts in {@link #directWork}, beside its octets. */
    public static final int DIRECT_REQUEST_WORK = DirectRequests.REQUEST_WORK;

    // What is received only to be thrown away; nobody reads it, so all streams share it.
    private static final ByteBuffer WASTE = ByteBuffer.allocateDirect(4096);

    private static final MemorySegment WASTE_START =
            MemorySegment.ofAddress(MemorySegment.ofBuffer(WASTE).address());

    private final StreamParts parts;
    private final Lifecycle life;
    private final FpduWriter writer;
    private final Transmitter transmitter;
    private final FpduReceiver fpdus;
    private final StreamTimers timers;
    private final Completions completions;
    private final LoneRequests alone;
    private final ByteBuffer wasteBin = WASTE.duplicate();
    private final IoVector waste = new IoVector(1);
    // What is read next, or was read last, is thrown away; set before each read.
    private boolean wasting;
    // A responder: the first segment of the peer is an event. Set when the stream starts.
    private boolean awaitsFirst;

    /**
     * Makes a stream in state IDLE.
     *
     * @param config sizes
     * @param stags the STags of the context
     * @param buffers the memory that batches are built in
     * @param queues where work completes, and where receives come from
     * @param listener hears of events
     */
    public Stream(
            StreamConfig config, StagTable stags, BufferPool buffers, StreamQueues queues, StreamListener listener) {
        parts = new StreamParts(config, stags, buffers, queues, listener, new Deliveries());
        life = new Lifecycle(parts);
        alone = new LoneRequests(parts, life);
        writer = parts.writer;
        transmitter = parts.transmitter;
        fpdus = parts.fpdus;
        timers = parts.timers;
        completions = parts.completions;
        waste.add(wasteBin, WASTE_START);
    }

    private final class Deliveries implements ReceiverListener {
        @Override
        public void onFirstSegment() {
            if (awaitsFirst) {
                transmitter.allow();
                parts.listener.event(StreamEvent.COMMUNICATION_ESTABLISHED, null);
            }
        }

        @Override
        public void onTerminate(Terminate terminate) {
            life.peerTerminated(terminate);
        }

        @Override
        public void onOverrun() {
            fpdus.stop();
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
        timers.start(negotiated, now);
        awaitsFirst = !negotiated.initiator();
        boolean readRtr = negotiated.rtr() == Rtr.READ;
        // RFC 6581 §9.1: a ready-to-receive Read takes a slot on both sides.
        parts.outstanding.limit(Math.max(negotiated.ord(), readRtr && negotiated.initiator() ? 1 : 0));
        parts.inbound.limit(Math.max(negotiated.ird(), 1));
        transmitter.start(negotiated);
        parts.receiver.start(negotiated);
        fpdus.start(negotiated.crc(), negotiated.markersIn());
    }

    /** Returns the number of its protection domain. */
    public int domain() {
        return parts.domain;
    }

    /** Returns the number of its queue pair. */
    public int number() {
        return parts.number;
    }

    /**
     * Has requests be carried out on {@code memory} of the peer where that can be; null for none. No access overtakes
     * what the peer has not taken, and a peer that need not look might take no nudge: there are none.
     */
    public void reach(@Nullable PeerMemory memory) {
        parts.direct.reach(memory);
        if (memory != null) {
            timers.stopNudges();
        }
    }

    /**
     * Carries out on memory of the peer what would be {@linkplain #transmit transmitted} next, as far as that goes.
     *
     * @return whether there was something, and nothing of it is left to be transmitted
     */
    public boolean carryOut() {
        DirectRequests direct = parts.direct;
        if (!direct.isReaching() || state() != StreamState.ESTABLISHED) {
            return false;
        }
        boolean all = transmitter.carryOut(direct);
        completions.retire();
        return all && !completions.overrun();
    }

    /** Returns what carries requests out so that need not be posted for it. */
    public LoneRequests alone() {
        return alone;
    }

    /**
     * Returns how much work was done on memory of the peer: its octets, and {@link #DIRECT_REQUEST_WORK} a request. Any
     * thread, as of a moment ago.
     */
    public long directWork() {
        return parts.direct.work();
    }

    /** Closes the stream gracefully: what is posted so far is sent and answered, then the output is shut. */
    public void disconnect(long now) {
        life.disconnect(now);
    }

    /** Ends the stream at once: everything is flushed and the connection is to be reset. */
    public void abort() {
        life.abort();
    }

    /** Has the stream fail by a fault of this side: a Terminate is sent, everything is flushed. */
    public void fail(Fault localFault, long now) {
        parts.terminatedHeaders.clear();
        life.terminate(localFault, now);
    }

    // ---- receiving ------------------------------------------------------------------------------------------------

    /**
     * Returns where the next octets must land; empty if nothing is to be read any more. Valid until {@link #received}.
     *
     * @param staging nobody else's until then
     */
    public IoVector receiveInto(Staging staging) {
        wasting = !life.acceptsInput();
        if (!life.reads()) {
            return IoVector.EMPTY;
        }
        if (wasting) {
            wasteBin.clear();
            return waste;
        }
        return fpdus.aim(staging);
    }

    /** Takes the {@code octets} that were stored where they must land; 0 if there were none. */
    public void received(long octets, long now) {
        if (octets > 0) {
            life.moved(now);
        }
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
    public void lost(TerminateReason reason, String detail) {
        life.lost(reason, detail);
    }

    // ---- transmitting ---------------------------------------------------------------------------------------------

    /** Returns what is to be written, empty if there is nothing to send; valid until {@link #sent} is called. */
    public IoVector transmit(long now) {
        if (writer.isEmpty() && life.sends()) {
            Fault found = transmitter.fill();
            if (found != null) {
                life.terminate(found, now);
                // An empty batch has room for the Terminate right away.
                transmitter.fill();
            }
            completions.retire();
        }
        // With a batch under way or nothing more to be sent, a bind that waits is not tried again before that changes.
        timers.retry(writer.isEmpty() && life.sends() && transmitter.retrySoon(), now);
        if (state() != StreamState.CLOSED && !writer.pinRest()) {
            life.memoryGone();
        }
        return state() == StreamState.CLOSED ? IoVector.EMPTY : writer.vector();
    }

    /** Says that {@code octets} were written; the positions of the buffers have moved by as much. */
    public void sent(long octets, long now) {
        writer.written();
        if (state() != StreamState.CLOSED) {
            transmitter.written(octets);
            life.settle(now);
            if (octets > 0) {
                life.moved(now);
            }
        }
    }

    /** Tells whether {@link #transmit} would have something. */
    public boolean wantsTransmit() {
        return writer.isEmpty() ? life.sends() && transmitter.wantsTransmit() : state() != StreamState.CLOSED;
    }

    // ---- ending ---------------------------------------------------------------------------------------------------

    /** Returns what has to be done with the socket. */
    public CloseAction closeAction() {
        return life.closeAction();
    }

    /** Tells whether {@link #unacknowledged} is to be said: before each {@link #timeout}, and whenever it suits. */
    public boolean awaitsAcknowledgement() {
        return life.awaitsAcknowledgement();
    }

    /**
     * Hears how many octets, the FIN counted as one, were given to TCP and are not acknowledged by the peer's.
     *
     * @param octets from 0; negative if nobody can tell
     */
    public void unacknowledged(long octets, long now) {
        life.unacknowledged(octets, now);
    }

    /** Hears that the output is shut, and what is not acknowledged then, as in {@link #unacknowledged}. */
    public void outputShutDown(long unacknowledged, long now) {
        life.outputShutDown(unacknowledged, now);
    }

    /** Hears that the socket is closed. */
    public void closed() {
        life.closed();
    }

    /** Tells whether {@link #deadlineNanos} counts. */
    public boolean hasDeadline() {
        return state() != StreamState.CLOSED && timers.isSet();
    }

    /** Returns the time at which {@link #timeout} is due. */
    public long deadlineNanos() {
        return timers.earliest();
    }

    /** Hears that the deadline has passed; calls before it do nothing. */
    public void timeout(long now) {
        if (timers.lingerIsOver(now)) {
            life.timedOut(now);
        } else if (timers.takeFirst(now)) {
            // Linux siw sends no ready-to-receive message although its applications may let the acceptor begin. By now
            // the initiator has read the Reply, so that an FPDU cannot be taken for a part of it (RFC 5044 §7.1.2).
            transmitter.allow();
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
     * Ends a stream whose peer has stopped, as {@code what} says: the oldest send that is not done, if one is,
     * completes with {@link WcStatus#RETRY_EXCEEDED}, the others are flushed, and the connection is to be reset.
     */
    public void stalled(String what) {
        life.stalled(what);
    }

    // ---- state ----------------------------------------------------------------------------------------------------

    /** Returns the state. */
    public StreamState state() {
        return life.state();
    }

    /** Tells whether it is over, and what has completed with success has arrived as far as anybody can tell. */
    public boolean endedInOrder() {
        return life.endedInOrder();
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

    /** Returns what it has counted; any thread. */
    public StreamCounts counts() {
        return new StreamCounts(parts);
    }

    /** Tells whether everything that was posted is done. */
    public boolean idle() {
        boolean quiet = state() == StreamState.CLOSED || (writer.isEmpty() && parts.inbound.isEmpty());
        return quiet && parts.sends.head() == parts.sends.tail();
    }
}
