package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.TerminateCause;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.StreamState.Event;
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
    private static final String MEMORY_IS_GONE = "memory of a message was deregistered while it was being sent";
    private static final int MAX_DEPTH = 16384;

    private final StreamConfig config;
    private final @Nullable ReceiveRing ownReceives;
    private final StreamListener listener;
    private final SendRing sends;
    private final SendCommands commands;
    private final ReceiveCommands receiveCommands;
    private final StreamTimers timers;
    private final OutstandingRequests outstanding;
    private final InboundRequests inbound;
    private final Offender offender;
    private final Gather gather;
    private final Transmitter transmitter;
    private final Receiver receiver;
    private final FpduReceiver fpdus;
    private final ByteBuffer wasteBin;
    private final ByteBuffer[] waste;
    private final Completions completions;

    private StreamState state = StreamState.IDLE;
    private @Nullable Fault fault;
    private boolean abortOnClose;
    private boolean lostMemory;
    private boolean outputShut;
    private boolean inputEnded;
    private boolean socketClosed = true;
    private boolean wasting;
    private boolean lastReceiveTold;

    /**
     * Makes a stream in state IDLE.
     *
     * @param config sizes
     * @param stags the STags of the context
     * @param sendSink where sends complete
     * @param receiveSink where receives complete
     * @param receives where receives come from
     * @param ownReceives the same if it is the queue pair's own, to be flushed; null with a shared receive queue
     * @param listener hears of events
     */
    public Stream(
            StreamConfig config,
            StagTable stags,
            CompletionSink sendSink,
            CompletionSink receiveSink,
            ReceiveSource receives,
            @Nullable ReceiveRing ownReceives,
            StreamListener listener) {
        this.config = config;
        this.ownReceives = ownReceives;
        this.listener = listener;
        Arena arena = Arena.ofAuto();
        ViewPool views = new ViewPool();
        sends = new SendRing(config.maxSendWr(), config.maxSendSge(), config.maxInlineBytes(), arena);
        outstanding = new OutstandingRequests(Math.min(MAX_DEPTH, 256));
        inbound = new InboundRequests(Math.min(MAX_DEPTH, 256));
        offender = new Offender(arena);
        gather = new Gather(arena, views);
        Protection protection = new Protection(stags, config.domainId(), config.qpNumber());
        completions = new Completions(config, sends, sendSink, receiveSink, ownReceives);
        commands = new SendCommands(sends, config, protection, completions);
        receiveCommands = new ReceiveCommands(ownReceives, config, completions);
        timers = new StreamTimers(config);
        LocalOperations local = new LocalOperations(stags, protection, config);
        SegmentWriter writer = new SegmentWriter(gather, config.maxInlineBytes(), arena);
        SendMessages requests = new SendMessages(sends, outstanding, protection, local, writer, offender);
        Responses responses = new Responses(inbound, protection, writer, offender);
        transmitter = new Transmitter(gather, writer, requests, responses, outstanding, offender, config.maxSendSge());
        receiver = new Receiver(config, protection, local, receives, sends, outstanding, inbound, new Deliveries());
        fpdus = new FpduReceiver(receiver, new Placement(protection, views), offender, arena);
        wasteBin = ByteBuffer.allocateDirect(4096);
        waste = new ByteBuffer[] {wasteBin};
    }

    private final class Deliveries implements Receiver.Listener {
        @Override
        public void onFirstSegment() {
            if (!transmitter.isAllowed()) {
                transmitter.allow();
                listener.event(StreamEvent.COMMUNICATION_ESTABLISHED, null);
            }
        }

        @Override
        public void onTerminate(Terminate terminate) {
            peerTerminated(terminate);
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
        return commands;
    }

    /** Returns where receives are posted, if the queue pair has its own receive queue. */
    public ReceiveCommands receives() {
        return receiveCommands;
    }

    /** Begins full operation on a connection that is set up. */
    public void start(Negotiated negotiated, long now) {
        if (!move(Event.START)) {
            throw new IllegalStateException("a stream starts once, this one is " + state);
        }
        socketClosed = false;
        timers.start(config.nudge() && negotiated.initiator(), now);
        boolean readRtr = negotiated.rtr() == Rtr.READ;
        // RFC 6581 §9.1: a ready-to-receive Read takes a slot on both sides.
        outstanding.limit(Math.max(negotiated.ord(), readRtr && negotiated.initiator() ? 1 : 0));
        inbound.limit(Math.max(negotiated.ird(), 1));
        transmitter.start(negotiated);
        receiver.start(negotiated);
        fpdus.start(negotiated.crc(), negotiated.markersIn());
    }

    /** Closes gracefully: what is posted so far is sent and answered, then the output is shut. */
    public void disconnect(long now) {
        if (state == StreamState.ESTABLISHED) {
            move(Event.DISCONNECT);
            transmitter.drain();
            checkDrained(now);
        } else if (state == StreamState.IDLE) {
            abort(now);
        }
    }

    /** Ends at once: everything is flushed and the connection is to be reset. */
    public void abort(long now) {
        end(Event.ABORT, true);
    }

    /** Fails by a fault of this side: a Terminate is sent, everything is flushed. */
    public void fail(Fault localFault, long now) {
        offender.clear();
        terminate(localFault, now);
    }

    // ---- receiving ------------------------------------------------------------------------------------------------

    /** Returns where the next octets must land, in this order; valid until {@link #received}. */
    public ByteBuffer[] receiveBuffers() {
        wasting = !acceptsInput();
        if (wasting) {
            wasteBin.clear();
            return waste;
        }
        return fpdus.buffers();
    }

    /**
     * Returns how many of the {@link #receiveBuffers} count; 0 if nothing is to be read any more. Call it after them.
     */
    public int receiveBufferCount() {
        if (inputEnded || state == StreamState.CLOSED || state == StreamState.IDLE) {
            return 0;
        }
        return 1;
    }

    private boolean acceptsInput() {
        return state == StreamState.ESTABLISHED || state == StreamState.DRAINING || state == StreamState.CLOSING;
    }

    /** Takes the {@code octets} that were stored over the receive buffers; 0 if there were none. */
    public void received(long octets, long now) {
        if (wasting) {
            return;
        }
        TerminateCode code = fpdus.received(Math.max(0, octets));
        if (code != null && acceptsInput()) {
            terminate(Fault.local(code, ""), now);
        }
        settle(now);
    }

    /** Hears of the peer's FIN. */
    public void endOfStream(long now) {
        if (inputEnded || state == StreamState.CLOSED || state == StreamState.IDLE) {
            return;
        }
        inputEnded = true;
        if (acceptsInput() && !fpdus.isBetweenFpdus()) {
            lost("the peer closed in the middle of an FPDU", now);
            return;
        }
        StreamState before = state;
        if (before == StreamState.CLOSING || before == StreamState.LINGERING) {
            end(Event.FIN_RECEIVED, false);
            return;
        }
        move(Event.FIN_RECEIVED);
        if (before == StreamState.ESTABLISHED) {
            transmitter.drain();
        }
        checkDrained(now);
    }

    /** Hears that TCP failed. */
    public void lost(String reason, long now) {
        if (state == StreamState.CLOSED) {
            return;
        }
        if (fault == null && state != StreamState.IDLE) {
            fault = Fault.local(TerminateCode.MPA_CONNECTION_LOST, reason);
            listener.event(StreamEvent.FATAL, fault);
        }
        end(Event.LOST, true);
    }

    // ---- transmitting ---------------------------------------------------------------------------------------------

    /** Returns the gather list to be written; valid until {@link #transmitted}. */
    public ByteBuffer[] transmitBuffers(long now) {
        if (gather.isEmpty() && mayFill()) {
            Fault found = transmitter.fill();
            if (found != null) {
                terminate(found, now);
                // An empty batch has room for the Terminate right away.
                transmitter.fill();
            }
            completions.retire();
        }
        timers.retry(transmitter.retrySoon(), now);
        if (state != StreamState.CLOSED && !gather.pinRest()) {
            // The memory of an FPDU that has begun is gone: it cannot be finished.
            lost(MEMORY_IS_GONE, now);
        }
        return gather.entries();
    }

    private boolean mayFill() {
        return state.operational() || state == StreamState.TERMINATING;
    }

    /** Returns the index of the first buffer that counts. */
    public int transmitBufferOffset() {
        return gather.first();
    }

    /** Returns how many buffers count; 0 if there is nothing to send. */
    public int transmitBufferCount() {
        return state == StreamState.CLOSED ? 0 : gather.remainingEntries();
    }

    /** Says that {@code octets} were written; the positions of the buffers have moved by as much. */
    public void transmitted(long octets, long now) {
        gather.written();
        if (state == StreamState.CLOSED) {
            return;
        }
        transmitter.written(octets);
        if (state == StreamState.TERMINATING && transmitter.terminateSent()) {
            move(Event.TERMINATE_SENT);
        }
        settle(now);
    }

    /** Tells whether {@link #transmitBuffers} would have something. */
    public boolean wantsTransmit() {
        return (mayFill() && transmitter.wantsTransmit()) || (state != StreamState.CLOSED && !gather.isEmpty());
    }

    // ---- ending ---------------------------------------------------------------------------------------------------

    /** Returns what has to be done with the socket. */
    public CloseAction closeAction() {
        if (socketClosed) {
            return CloseAction.NONE;
        }
        if (state == StreamState.CLOSED) {
            return abortOnClose ? CloseAction.ABORT : CloseAction.CLOSE;
        }
        boolean shut = state == StreamState.CLOSING || state == StreamState.LINGERING;
        return shut && !outputShut && gather.isEmpty() ? CloseAction.SHUTDOWN_OUTPUT : CloseAction.NONE;
    }

    /** Hears that the output is shut. */
    public void outputShutDown(long now) {
        outputShut = true;
        if (inputEnded) {
            end(Event.FIN_RECEIVED, false);
        }
    }

    /** Hears that the socket is closed. */
    public void closed(long now) {
        socketClosed = true;
        if (state != StreamState.CLOSED) {
            end(Event.ABORT, true);
        }
    }

    /** Tells whether {@link #deadlineNanos} counts. */
    public boolean hasDeadline() {
        return state != StreamState.CLOSED && timers.isSet();
    }

    /** Returns the time at which {@link #timeout} is due. */
    public long deadlineNanos() {
        return timers.deadlineNanos();
    }

    /** Hears that the deadline has passed; calls before it do nothing. */
    public void timeout(long now) {
        if (timers.lingerIsOver(now)) {
            end(Event.TIMEOUT, true);
        } else if (timers.takeNudge(now) && transmitter.hasSent()) {
            // Linux siw overlooks what arrives while it attaches the socket, until more arrives.
            transmitter.nudge();
        }
    }

    /** Returns the state. */
    public StreamState state() {
        return state;
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

    /** Tells whether everything that was posted is done. */
    public boolean idle() {
        boolean quiet = state == StreamState.CLOSED || (gather.isEmpty() && inbound.isEmpty());
        return quiet && sends.head() == sends.tail();
    }

    private boolean move(Event event) {
        StreamState after = state.after(event);
        if (after == null) {
            return false;
        }
        state = after;
        commands.onState(after);
        receiveCommands.onState(after);
        return true;
    }

    private void settle(long now) {
        if (lostMemory) {
            lostMemory = false;
            lost(MEMORY_IS_GONE, now);
        }
        completions.retire();
        if (completions.overrun() && state.operational()) {
            offender.clear();
            // RFC 5040 §8.1.1: an overrun of a completion queue ends the streams that use it, and no others.
            terminate(Fault.local(TerminateCode.RDMAP_LOCAL_CATASTROPHIC, "completion queue overrun"), now);
        }
        checkDrained(now);
        if (receiver.sawSegment() || !state.operational()) {
            timers.stopNudging();
        }
        if (state.awaitsPeer()) {
            timers.linger(now);
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

    private void terminate(Fault found, long now) {
        StreamState before = state;
        if (fault == null) {
            fault = found;
            listener.event(found.event(), found);
        }
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

    // Once the receives may be flushed they are, too.
    private void flush() {
        fpdus.stop();
        // What is flushed belongs to the application again.
        if (state == StreamState.CLOSED) {
            gather.drop();
        } else if (!gather.detach()) {
            gather.drop();
            lostMemory = true;
        }
        outstanding.clear();
        inbound.clear();
        completions.flushSends();
        receiver.abandonMessage(fault);
        if (state.flushesReceives()) {
            completions.flushReceives();
        }
        if (ownReceives == null && !lastReceiveTold && state.flushesReceives()) {
            lastReceiveTold = true;
            listener.event(StreamEvent.LAST_WQE_REACHED, null);
        }
    }

    private void peerTerminated(Terminate terminate) {
        StreamState before = state;
        Fault found = Fault.remote(terminate.code());
        if (fault == null) {
            fault = found;
            listener.event(StreamEvent.FATAL, found);
        }
        if (before == StreamState.CLOSING) {
            end(Event.TERMINATE_RECEIVED, false);
            return;
        }
        move(Event.TERMINATE_RECEIVED);
        if (before.operational()) {
            RequesterBlame.assign(terminate, sends, outstanding);
            transmitter.stop();
            flush();
        }
    }

    private void end(Event event, boolean abort) {
        if (state == StreamState.CLOSED) {
            return;
        }
        move(event);
        abortOnClose = abort;
        transmitter.stop();
        flush();
        if (!socketClosed) {
            listener.event(StreamEvent.DISCONNECTED, fault);
        }
    }
}
