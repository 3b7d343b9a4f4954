package org.panamaverbs.iwarp.core.stream;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.iwarp.TerminateReason;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.fault.StreamEvent;
import org.panamaverbs.iwarp.core.work.RequesterBlame;
import org.panamaverbs.iwarp.core.work.StreamState;
import org.panamaverbs.iwarp.core.work.StreamState.Event;
import org.panamaverbs.iwarp.wire.Terminate;

/**
 * How a stream begins and ends: its state, its first fault, what becomes of its work requests and of its socket (RFC
 * 5040 §5.1, §6.2 and §7).
 */
final class Lifecycle {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final StreamParts parts;
    private final ProgressWatch progress;
    private final TransportEnds transport = new TransportEnds();
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

    Lifecycle(StreamParts parts) {
        this.parts = parts;
        progress = new ProgressWatch(parts);
    }

    StreamState state() {
        return state;
    }

    @Nullable
    Fault fault() {
        return fault;
    }

    /** Tells whether it is over, and neither a fault nor an abort has ended it. */
    boolean endedInOrder() {
        return state == StreamState.CLOSED && fault == null && !transport.abort;
    }

    /** Tells whether what the peer sends still counts. */
    boolean acceptsInput() {
        return state == StreamState.ESTABLISHED || state == StreamState.DRAINING || state == StreamState.CLOSING;
    }

    /** Tells whether anything more is to be read, if only to be thrown away. */
    boolean reads() {
        return !transport.inputEnded && state != StreamState.CLOSED && state != StreamState.IDLE;
    }

    /** Tells whether anything new may be sent. */
    boolean sends() {
        return state.operational() || state == StreamState.TERMINATING;
    }

    // ---- events ---------------------------------------------------------------------------------------------------

    void start() {
        if (!move(Event.START)) {
            throw new IllegalStateException("a stream starts once, this one is " + state);
        }
        transport.closed = false;
    }

    void disconnect(long now) {
        if (state == StreamState.ESTABLISHED) {
            move(Event.DISCONNECT);
            parts.transmitter.drain();
            checkDrained(now);
        } else if (state == StreamState.IDLE) {
            end(Event.ABORT, true);
        }
    }

    void abort() {
        end(Event.ABORT, true);
    }

    void timedOut(long now) {
        if (state == StreamState.CLOSING) {
            if (transport.unacknowledged != 0) {
                // The peer need not close before it has everything; TCP tells in leaps what a slow one has taken.
                parts.timers.renewLinger(true, now);
                return;
            }
            // What was sent has completed: this is how its sender is told that the peer may not have come to it.
            String time = parts.timers.lingerNanos() / NANOS_PER_MILLI + " ms";
            String detail = "the peer has not closed its side, and nothing has come from it for " + time;
            blame(Fault.local(TerminateReason.PEER_SILENT, detail), StreamEvent.FATAL);
        }
        end(Event.TIMEOUT, true);
    }

    /** Octets have gone either way, if only to be thrown away. */
    void moved(long now) {
        if (state.awaitsPeer()) {
            parts.timers.renewLinger(state == StreamState.CLOSING, now);
        }
    }

    /** Tells whether {@link #unacknowledged(long, long)} wants to know. */
    boolean awaitsAcknowledgement() {
        return state.awaitsPeer() && !transport.closed;
    }

    /** So many octets are sent but not acknowledged by the peer's TCP; negative where nobody can tell. */
    void unacknowledged(long octets, long now) {
        if (!awaitsAcknowledgement()) {
            progress.unacknowledged(octets);
            return;
        }
        // What is added was taken for what is acknowledged.
        if (octets != transport.unacknowledged) {
            parts.timers.renewLinger(state == StreamState.CLOSING, now);
        }
        transport.unacknowledged = octets;
        parts.timers.look(octets > 0, now);
        endIfDone();
    }

    // RFC 5041 §6.2.1: DDP is told that the stream is down when the LLP is: the peer's FIN is here, and it has ours.
    private void endIfDone() {
        if (state == StreamState.CLOSING && transport.isDone()) {
            end(Event.FIN_RECEIVED, false);
        }
    }

    void endOfStream(long now) {
        if (!reads()) {
            return;
        }
        transport.inputEnded = true;
        if (acceptsInput() && !parts.fpdus.isBetweenFpdus()) {
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
            parts.transmitter.drain();
        }
        checkDrained(now);
    }

    /** Can be repeated: what could not be done the last time is done then. */
    void lost(TerminateReason reason, String detail) {
        if (state == StreamState.CLOSED) {
            finishEnd();
            return;
        }
        if (state != StreamState.IDLE) {
            blame(Fault.local(reason, detail), StreamEvent.FATAL);
        }
        end(Event.LOST, true);
    }

    /** The peer has stopped: there is no use in telling it. */
    void stalled(String what) {
        if (state.operational()) {
            progress.blameOldest();
            lost(progress.reason(), what);
        } else if (state == StreamState.CLOSING) {
            lost(TerminateReason.PEER_SILENT, what);
        }
    }

    /**
     * Returns what has stood still for {@code limitNanos} while something is to be sent or answered, null if nothing.
     */
    @Nullable
    String stall(long now, long limitNanos) {
        if (state == StreamState.CLOSING) {
            return progress.lookAtRest(transport.unacknowledged, now, limitNanos);
        }
        return state.operational() ? progress.look(parts.transmitter.wantsTransmit(), now, limitNanos) : null;
    }

    /** The memory of an FPDU that has begun is gone: it cannot be finished. */
    void memoryGone() {
        lost(TerminateReason.MEMORY_GONE, "");
    }

    /** This side found a fault: the peer is told by a Terminate. */
    void terminate(Fault verdict, long now) {
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
            parts.transmitter.terminate(found);
            flush();
            parts.timers.linger(now);
        }
    }

    void peerTerminated(Terminate terminate) {
        StreamState before = state;
        blame(Fault.remote(terminate), StreamEvent.FATAL);
        if (before == StreamState.CLOSING) {
            end(Event.TERMINATE_RECEIVED, false);
            return;
        }
        move(Event.TERMINATE_RECEIVED);
        if (before.operational()) {
            RequesterBlame.assign(terminate, parts.sends, parts.outstanding);
            parts.transmitter.stop();
            flush();
        }
    }

    /** Draws the consequences of what was received or sent. */
    void settle(long now) {
        if (lostMemory) {
            lostMemory = false;
            memoryGone();
        }
        if (state == StreamState.TERMINATING && parts.transmitter.terminateSent()) {
            move(Event.TERMINATE_SENT);
        }
        parts.completions.retire();
        if (parts.completions.overrun() && state.operational()) {
            parts.terminatedHeaders.clear();
            // RFC 5040 §8.1.1: an overrun of a completion queue ends the streams that use it, and no others.
            terminate(Fault.QUEUE_OVERRUN, now);
        }
        checkDrained(now);
        if (parts.receiver.sawSegment() || !state.operational()) {
            parts.timers.stopAwaitingFirst();
        }
        if (state.awaitsPeer()) {
            parts.timers.linger(now);
        }
    }

    // ---- the socket -----------------------------------------------------------------------------------------------

    CloseAction closeAction() {
        return transport.action(state, parts.writer.isEmpty());
    }

    void outputShutDown(long left, long now) {
        transport.outputShut = true;
        if (transport.inputEnded && state == StreamState.LINGERING) {
            end(Event.FIN_RECEIVED, false);
        }
        unacknowledged(left, now);
    }

    void closed() {
        transport.closed = true;
        if (state != StreamState.CLOSED) {
            end(Event.ABORT, true);
        }
    }

    // ---- consequences ---------------------------------------------------------------------------------------------

    // The first fault is the cause of all that follows; it is known before anything is flushed because of it.
    private void blame(Fault found, StreamEvent event) {
        if (fault == null) {
            parts.completions.blame(found);
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
        parts.commands.onState(after);
        parts.receiveCommands.onState(after);
        return true;
    }

    private void checkDrained(long now) {
        if (state == StreamState.DRAINING && parts.transmitter.isDrained(!transport.inputEnded)) {
            parts.completions.retire();
            parts.transmitter.stop();
            move(Event.DRAINED);
            parts.completions.flushSends();
            parts.timers.linger(now);
        }
    }

    private void end(Event event, boolean abort) {
        if (state == StreamState.CLOSED) {
            return;
        }
        transport.abort = abort;
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
        parts.transmitter.stop();
        tellFault();
        flush();
        if (!transport.closed) {
            parts.listener.event(StreamEvent.DISCONNECTED, fault);
        }
        ending = false;
    }

    // Once the receives may be flushed they are, too.
    private void flush() {
        parts.fpdus.stop();
        // What is flushed belongs to the application again.
        if (state == StreamState.CLOSED) {
            parts.writer.drop();
        } else if (!parts.writer.detach()) {
            parts.writer.drop();
            lostMemory = true;
        }
        parts.outstanding.clear();
        parts.inbound.clear();
        parts.completions.flushSends();
        parts.receiver.abandonMessage(fault);
        if (state.flushesReceives()) {
            parts.completions.flushReceives();
        }
        if (parts.ownReceives == null && !lastReceiveTold && state.flushesReceives()) {
            parts.listener.event(StreamEvent.LAST_WQE_REACHED, null);
            lastReceiveTold = true;
        }
    }
}
