package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.StreamState.Event;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.iovec.IoVector;
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

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final StreamParts parts;
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

    private final ProgressWatch progress;
    private StreamState state = StreamState.IDLE;
    // The first fault; it stays.
    private @Nullable Fault fault;
    // The event of the fault, from then until the listener has heard of it.
    private @Nullable StreamEvent untold;
    // A flush could not keep a copy of what is being written; the next settle ends the stream for it.
    private boolean lostMemory;
    // The event of the last receive of a shared queue was given; it is once.
    private boolean lastReceiveTold;
    // It has ended, and what follows from that has not all been done; see finishEnd.
    private boolean ending;

    // How far the transport is at its end, in both directions. Whoever hears of a step stores it first, as one that
    // follows may fail and be repeated.
    // Whether the end of this side's octets has left the transport.
    private boolean outputShut;
    // Whether the end of the peer's octets is here.
    private boolean inputEnded;
    // What the peer's TCP has not acknowledged as of the last look, in octets; negative where nobody can tell.
    private long unacknowledged;
    // Whether there is no transport: not yet, or not any longer.
    private boolean transportClosed = true;
    // Whether the stream was closed for a reason that resets the connection, in place of closing it.
    private boolean reset;

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
        progress = new ProgressWatch(parts);
        alone = new LoneRequests(parts, this);
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
            timers.stopAwaitingFirst();
            if (awaitsFirst) {
                transmitter.allow();
                parts.listener.event(StreamEvent.COMMUNICATION_ESTABLISHED, null);
            }
        }

        @Override
        public void onTerminate(Terminate terminate) {
            peerTerminated(terminate);
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
        if (!move(Event.START)) {
            throw new IllegalStateException("a stream can be started only once, and this one is " + state);
        }
        transportClosed = false;
        timers.start(negotiated, now);
        awaitsFirst = !negotiated.initiator();
        boolean readRtr = negotiated.rtr() == Rtr.READ;
        // RFC 6581 §9.1: a ready-to-receive Read takes a slot on both sides.
        parts.outstanding.limit(Math.max(negotiated.ord(), readRtr && negotiated.initiator() ? 1 : 0));
        parts.inbound.limit(Math.max(negotiated.ird(), 1));
        parts.commands.start(negotiated);
        transmitter.start(negotiated, parts.prediction);
        parts.receiver.start(negotiated);
        fpdus.start(negotiated.crc(), negotiated.markersIn(), parts.prediction);
    }

    /** Returns the number of its protection domain. */
    public int domain() {
        return parts.domain;
    }

    /** Returns what its peer may do where registrations grant it as well, bits of {@code Access}. */
    public int peerRights() {
        return parts.peerRights;
    }

    /** Returns the number of its queue pair. */
    public int number() {
        return parts.number;
    }

    /**
     * Has requests be carried out on {@code memory} of the peer where that can be; null for none. No access overtakes
     * what the peer has not taken, and a peer that need not look might take no probe: there are none.
     */
    public void reach(@Nullable PeerMemory memory) {
        parts.direct.reach(memory);
        if (memory != null) {
            timers.stopProbes();
        }
    }

    /** Has what is short be built in and taken from the rings that the transport is made of; null for none. */
    public void ring(@Nullable SharedRing rings) {
        alone.ring(rings);
        fpdus.ring(rings);
    }

    /**
     * Takes what is expected of the next {@code available} octets of the peer's ring, few, where they lie; what else
     * comes is {@linkplain #receiveInto received}. Behind it the stream may want to be {@linkplain #settle settled}.
     *
     * @return the octets
     */
    public int takeFromRing(int available) {
        int octets = state == StreamState.ESTABLISHED && !inputEnded ? fpdus.takeFromRing(available) : 0;
        completions.retire();
        return octets;
    }

    /** Tells whether nothing follows from what was taken of the peer's ring but what is to be transmitted. */
    public boolean isSettled() {
        return state == StreamState.ESTABLISHED && !lostMemory && !completions.overrun();
    }

    /**
     * Carries out on memory of the peer what would be {@linkplain #transmit transmitted} next, as far as that goes and
     * one pass takes; if that was not all, it {@link #goesOn}.
     *
     * @return whether there was something, and nothing of it is left
     */
    public boolean carryOut() {
        if (!goesOn() && (!parts.direct.isReaching() || state != StreamState.ESTABLISHED)) {
            return false;
        }
        boolean all = transmitter.carryOut();
        completions.retire();
        return all && !completions.overrun();
    }

    /** Tells whether {@link #carryOut} is to be called by the next pass: what was posted is not transmitted before. */
    public boolean goesOn() {
        return transmitter.goesOn();
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
        if (state == StreamState.ESTABLISHED) {
            move(Event.DISCONNECT);
            transmitter.drain();
            checkDrained(now);
        } else if (state == StreamState.IDLE) {
            end(Event.ABORT, true);
        }
    }

    /** Ends the stream at once: everything is flushed and the connection is to be reset. */
    public void abort() {
        end(Event.ABORT, true);
    }

    /** Has the stream fail by a fault of this side: a Terminate is sent, everything is flushed. */
    public void fail(Fault localFault, long now) {
        parts.terminatedHeaders.clear();
        terminate(localFault, now);
    }

    // ---- receiving ------------------------------------------------------------------------------------------------

    /**
     * Returns where the next octets must land; empty if nothing is to be read any more. Valid until {@link #received}.
     *
     * @param staging nobody else's until then
     */
    public IoVector receiveInto(Staging staging) {
        wasting = !acceptsInput();
        if (!reads()) {
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
        moved(octets, now);
        if (wasting) {
            return;
        }
        if (octets > 0 && !reads()) {
            // RFC 5041 §6.2.1: "any further data received after the request is considered an error".
            lost(TerminateReason.MPA_CONNECTION_LOST, "bytes arrived after the peer's FIN");
            return;
        }
        TerminateCode code = fpdus.received(Math.max(0, octets));
        if (code != null && acceptsInput()) {
            terminate(Fault.received(code), now);
        }
        settle(now);
    }

    /** Tells whether what the peer sends still counts. */
    public boolean acceptsInput() {
        return state == StreamState.ESTABLISHED || state == StreamState.DRAINING || state == StreamState.CLOSING;
    }

    /** Tells whether anything more is to be read, if only to be thrown away. */
    private boolean reads() {
        return !inputEnded && state != StreamState.CLOSED && state != StreamState.IDLE;
    }

    /** Hears of the peer's FIN. */
    public void endOfStream(long now) {
        if (!reads()) {
            return;
        }
        inputEnded = true;
        if (acceptsInput() && !fpdus.isBetweenFpdus()) {
            lost(TerminateReason.PEER_CLOSED, "");
            return;
        }
        StreamState before = state;
        if (before == StreamState.CLOSING) {
            endIfDone();
            return;
        }
        if (before == StreamState.LINGERING) {
            end(Event.FIN_RECEIVED, false);
            return;
        }
        move(Event.FIN_RECEIVED);
        if (before == StreamState.ESTABLISHED) {
            transmitter.drain();
        }
        checkDrained(now);
    }

    /** Hears that the connection is of no use any more. Can be repeated: what could not be done is done then. */
    public void lost(TerminateReason reason, String detail) {
        if (state == StreamState.CLOSED) {
            finishEnd();
            return;
        }
        if (state != StreamState.IDLE) {
            blame(Fault.local(reason, detail), StreamEvent.FATAL);
        }
        end(Event.LOST, true);
    }

    // ---- transmitting ---------------------------------------------------------------------------------------------

    /** Returns what is to be written, empty if there is nothing to send; valid until {@link #sent} is called. */
    public IoVector transmit(long now) {
        if (state.transmits()) {
            Fault found = transmitter.fill();
            if (found != null) {
                terminate(found, now);
                // An empty batch has room for the Terminate right away.
                transmitter.fill();
            }
        }
        // With a batch under way or nothing more to be sent, a bind that waits is not tried again before that changes.
        timers.retry(transmitter.awaitsWindow() && state.transmits(), now);
        if (state != StreamState.CLOSED && !writer.pinRest()) {
            // The memory of an FPDU that has begun is gone: it cannot be finished.
            lost(TerminateReason.MEMORY_GONE, "");
        }
        return state == StreamState.CLOSED ? IoVector.EMPTY : writer.vector();
    }

    /** Says that {@code octets} were written; the positions of the buffers have moved by as much. */
    public void sent(long octets, long now) {
        writer.written();
        if (state != StreamState.CLOSED) {
            transmitter.written(octets);
            settle(now);
            moved(octets, now);
        }
    }

    /** Tells whether {@link #transmit} would have something. */
    public boolean wantsTransmit() {
        return state != StreamState.CLOSED && (state.transmits() ? transmitter.wantsTransmit() : !writer.isEmpty());
    }

    // ---- what follows from what was received or sent --------------------------------------------------------------

    /** Does what follows from what was taken of the peer's ring, or was received or sent. */
    public void settle(long now) {
        completions.retire();
        if (!isSettled()) {
            settleRest(now);
        }
    }

    private void settleRest(long now) {
        if (lostMemory) {
            lostMemory = false;
            lost(TerminateReason.MEMORY_GONE, "");
        }
        if (state == StreamState.TERMINATING && transmitter.terminateSent()) {
            move(Event.TERMINATE_SENT);
        }
        if (completions.overrun() && acceptsInput()) {
            parts.terminatedHeaders.clear();
            // RFC 5040 §8.1.1: an overrun of a completion queue ends the streams that use it, and no others.
            terminate(Fault.QUEUE_OVERRUN, now);
        }
        checkDrained(now);
        if (state.awaitsPeer()) {
            timers.linger(now);
        }
    }

    /** So many octets have gone either way, if only to be thrown away. */
    private void moved(long octets, long now) {
        if (octets > 0 && state != StreamState.ESTABLISHED && state.awaitsPeer()) {
            timers.renewLinger(state == StreamState.CLOSING, now);
        }
    }

    private void checkDrained(long now) {
        if (state == StreamState.DRAINING && transmitter.isDrained(!inputEnded)) {
            completions.retire();
            transmitter.stop();
            move(Event.DRAINED);
            completions.flushSends();
            timers.linger(now);
        }
    }

    // ---- the socket -----------------------------------------------------------------------------------------------

    /** Returns what has to be done with the socket. */
    public CloseAction closeAction() {
        if (state == StreamState.ESTABLISHED || transportClosed) {
            return CloseAction.NONE;
        }
        if (state == StreamState.CLOSED) {
            return reset ? CloseAction.ABORT : CloseAction.CLOSE;
        }
        boolean shut = state == StreamState.CLOSING || state == StreamState.LINGERING;
        return shut && !outputShut && writer.isEmpty() ? CloseAction.SHUTDOWN_OUTPUT : CloseAction.NONE;
    }

    /** Tells whether {@link #unacknowledged} is to be said: before each {@link #timeout}, and whenever it suits. */
    public boolean awaitsAcknowledgement() {
        return state.awaitsPeer() && !transportClosed;
    }

    /**
     * Hears how many octets, the FIN counted as one, were given to TCP and are not acknowledged by the peer's.
     *
     * @param octets from 0; negative if nobody can tell
     */
    public void unacknowledged(long octets, long now) {
        if (!awaitsAcknowledgement()) {
            progress.unacknowledged(octets);
            return;
        }
        // What is added was taken for what is acknowledged.
        if (octets != unacknowledged) {
            timers.renewLinger(state == StreamState.CLOSING, now);
        }
        unacknowledged = octets;
        timers.look(octets > 0, now);
        endIfDone();
    }

    // RFC 5041 §6.2.1: DDP is told that the stream is down when the LLP is: all has gone both ways, and has arrived as
    // far as anybody can tell; the peer's FIN is here, and it has ours.
    private void endIfDone() {
        if (state == StreamState.CLOSING && outputShut && inputEnded && unacknowledged <= 0) {
            end(Event.FIN_RECEIVED, false);
        }
    }

    /** Hears that the output is shut, and what is not acknowledged then, as in {@link #unacknowledged}. */
    public void outputShutDown(long left, long now) {
        outputShut = true;
        if (inputEnded && state == StreamState.LINGERING) {
            end(Event.FIN_RECEIVED, false);
        }
        unacknowledged(left, now);
    }

    /** Hears that the socket is closed. */
    public void closed() {
        transportClosed = true;
        if (state != StreamState.CLOSED) {
            end(Event.ABORT, true);
        }
    }

    // ---- time -----------------------------------------------------------------------------------------------------

    /** Tells whether {@link #deadlineNanos} counts. */
    public boolean hasDeadline() {
        return state != StreamState.CLOSED && timers.isSet();
    }

    /** Returns the time at which {@link #timeout} is due. */
    public long deadlineNanos() {
        return timers.earliest();
    }

    /** Hears that the deadline has passed; calls before it do nothing. */
    public void timeout(long now) {
        if (timers.lingerIsOver(now)) {
            timedOut(now);
        } else if (timers.takeFirst(now)) {
            // Linux siw sends no ready-to-receive message although its applications may let the acceptor begin. By now
            // the initiator has read the Reply, so that an FPDU cannot be taken for a part of it (RFC 5044 §7.1.2).
            transmitter.allow();
        } else if (timers.takeProbe(now) && transmitter.hasSent()) {
            // Linux siw overlooks what arrives while it attaches the socket, until more arrives.
            transmitter.probe();
        }
    }

    private void timedOut(long now) {
        if (state == StreamState.CLOSING) {
            if (unacknowledged != 0) {
                // The peer need not close before it has everything; TCP tells in leaps what a slow one has taken.
                timers.renewLinger(true, now);
                return;
            }
            // What was sent has completed: this is how its sender is told that the peer may not have come to it.
            String time = timers.lingerNanos() / NANOS_PER_MILLI + " ms";
            String detail = "the peer has neither closed its side nor sent anything for " + time;
            blame(Fault.local(TerminateReason.PEER_SILENT, detail), StreamEvent.FATAL);
        }
        end(Event.TIMEOUT, true);
    }

    /** Hears which access the peer is in although the memory was taken away, by a name; 0 for none. */
    public void overdue(long access) {
        progress.overdue(access);
    }

    /**
     * Returns what of the stream has not moved for {@code limitNanos}, null if nothing stands still. It compares with
     * what it saw the last time: call it several times within the limit, and whenever it suits.
     */
    public @Nullable String stall(long now, long limitNanos) {
        if (state == StreamState.CLOSING) {
            return progress.lookAtRest(unacknowledged, now, limitNanos);
        }
        return state.operational() ? progress.look(transmitter.wantsTransmit(), now, limitNanos) : null;
    }

    /**
     * Ends a stream whose peer has stopped, as {@code what} says: the oldest send that is not done, if one is,
     * completes with {@link WcStatus#RETRY_EXCEEDED}, the others are flushed, and the connection is to be reset.
     */
    public void stalled(String what) {
        if (state.operational()) {
            progress.blameOldest();
            // There is no use in telling the peer.
            lost(progress.reason(), what);
        } else if (state == StreamState.CLOSING) {
            lost(TerminateReason.PEER_SILENT, what);
        }
    }

    // ---- the end --------------------------------------------------------------------------------------------------

    /** This side found a fault: the peer is told by a Terminate. */
    private void terminate(Fault verdict, long now) {
        StreamState before = state;
        Fault found = verdict.in(parts.terminatedHeaders.segment(verdict.code()));
        blame(found, found.event());
        if (before == StreamState.CLOSING || before == StreamState.IDLE) {
            end(Event.FAULT, true);
            return;
        }
        move(Event.FAULT);
        if (before.operational()) {
            // RFC 5040 §6.2.1: the Terminate is the last message; everything else is completed in error.
            transmitter.terminate(found);
            flush();
            timers.linger(now);
        }
    }

    private void peerTerminated(Terminate terminate) {
        StreamState before = state;
        blame(Fault.remote(terminate), StreamEvent.FATAL);
        if (before == StreamState.CLOSING) {
            end(Event.TERMINATE_RECEIVED, false);
            return;
        }
        move(Event.TERMINATE_RECEIVED);
        if (before.operational()) {
            RequesterBlame.assign(terminate, parts.sends, parts.outstanding);
            transmitter.stop();
            flush();
        }
    }

    // The first fault is the cause of all that follows; it is known before anything is flushed because of it.
    private void blame(Fault found, StreamEvent event) {
        if (fault == null) {
            completions.blame(found);
            untold = event;
            fault = found;
        }
        tellFault();
    }

    private void tellFault() {
        StreamEvent event = untold;
        if (event != null) {
            parts.listener.event(event, fault);
            // Behind it, as all that says of something that it was told: what fails is repeated when the stream ends.
            untold = null;
        }
    }

    private boolean move(Event event) {
        StreamState after = state.after(event);
        if (after == null) {
            return false;
        }
        state = after;
        if (!after.operational()) {
            timers.stopAwaitingFirst();
        }
        if (!after.transmits()) {
            // The driver does not transmit any more where there is nothing to be written.
            timers.stopRetry();
        }
        parts.commands.onState(after);
        parts.receiveCommands.onState(after);
        return true;
    }

    private void end(Event event, boolean abort) {
        if (state == StreamState.CLOSED) {
            return;
        }
        reset = abort;
        ending = true;
        move(event);
        finishEnd();
    }

    private void finishEnd() {
        if (!ending) {
            return;
        }
        parts.commands.onState(state);
        parts.receiveCommands.onState(state);
        transmitter.stop();
        tellFault();
        flush();
        if (!transportClosed) {
            parts.listener.event(StreamEvent.DISCONNECTED, fault);
        }
        parts.protection.end();
        ending = false;
    }

    // Once the receives may be flushed they are, too.
    private void flush() {
        fpdus.stop();
        // What is flushed belongs to the application again.
        if (state == StreamState.CLOSED) {
            writer.drop();
        } else if (!writer.detach()) {
            writer.drop();
            lostMemory = true;
        }
        parts.outstanding.clear();
        parts.inbound.clear();
        completions.flushSends();
        parts.receiver.abandonMessage(fault);
        if (state.flushesReceives()) {
            completions.flushReceives();
        }
        if (parts.ownReceives == null && !lastReceiveTold && state.flushesReceives()) {
            parts.listener.event(StreamEvent.LAST_WQE_REACHED, null);
            lastReceiveTold = true;
        }
    }

    // ---- state ----------------------------------------------------------------------------------------------------

    /** Returns the state. */
    public StreamState state() {
        return state;
    }

    /** Tells whether it is over, and what has completed with success has arrived as far as anybody can tell. */
    public boolean endedInOrder() {
        return state == StreamState.CLOSED && fault == null && !reset;
    }

    /** Returns the first fault, null without. */
    public @Nullable Fault fault() {
        return fault;
    }

    /** Returns the first fault as the application sees it, null without. */
    public @Nullable TerminateCause terminateCause() {
        Fault found = fault;
        return found == null ? null : found.cause();
    }

    /** Returns what it has counted; any thread. */
    public StreamCounts counts() {
        return new StreamCounts(parts);
    }

    /** Tells whether the headers of a message of the peer are here and its end is not. */
    boolean isMessageUnderWay() {
        return fpdus.isMessageUnderWay();
    }

    /** Returns how many requests were built by prediction. */
    long predictedSends() {
        return transmitter.predicted();
    }

    /** Returns how many messages of the peer were taken by prediction. */
    long predictedReceives() {
        return fpdus.predicted();
    }

    /** Tells whether everything that was posted is done. */
    public boolean idle() {
        boolean quiet = state == StreamState.CLOSED || (writer.isEmpty() && parts.inbound.isEmpty());
        return quiet && parts.sends.head() == parts.sends.tail();
    }
}
