package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Opcode;

/**
 * Decides what is sent next: one message after the other, requests of the send queue and responses to the peer in
 * turns, within each in order; nothing before this side may speak, nothing after a Terminate.
 */
final class Transmitter {
    private final FpduWriter writer;
    private final SendMessages requests;
    private final Responses responses;
    private final OutstandingRequests outstanding;
    private final InboundRequests inbound;
    private final TerminatedHeaders terminatedHeaders;

    // From the start at the initiator; at the responder once the initiator's first FPDU is here or not awaited.
    private boolean mayTransmit;
    // Whether what is expected is built by prediction.
    private boolean predicts;
    // Whose the next message is where both requests and responses are ready: they take turns.
    private boolean responseTurn;
    // Octets of FPDUs that a transport has taken, and whether it were any.
    private long writtenPosition;
    private boolean anySent;
    // What this side sends for its own sake, before all else: until it is built, or a Terminate takes its place.
    private Rtr pendingRtr = Rtr.NONE;
    private int pendingProbes;
    // The Terminate that is to be sent next, and whether it is in a batch: nothing follows it.
    private @Nullable Fault terminate;
    private boolean terminateBuilt;
    // Nothing is built any more, for ever.
    private boolean stopped;
    // The fault that the fill under way, or the last one, ran into.
    private @Nullable Fault found;

    public Transmitter(
            FpduWriter writer,
            SendMessages requests,
            Responses responses,
            OutstandingRequests outstanding,
            InboundRequests inbound,
            TerminatedHeaders terminatedHeaders) {
        this.writer = writer;
        this.requests = requests;
        this.responses = responses;
        this.outstanding = outstanding;
        this.inbound = inbound;
        this.terminatedHeaders = terminatedHeaders;
    }

    public void start(Negotiated negotiated, boolean prediction) {
        boolean markers = negotiated.markersOut();
        predicts = prediction && !markers;
        writer.start(Fpdu.mulpdu(negotiated.emss(), markers), negotiated.crc(), markers);
        requests.start(negotiated);
        // RFC 5044 §7.1.2: the responder sends nothing before it has validated an FPDU of the initiator.
        mayTransmit = negotiated.initiator();
        if (negotiated.initiator()) {
            pendingRtr = negotiated.rtr();
        }
    }

    /** The initiator's first FPDU is here, or is not awaited any longer. */
    public void allow() {
        mayTransmit = true;
    }

    public boolean isAllowed() {
        return mayTransmit;
    }

    /** Tells whether anything was sent yet. */
    public boolean hasSent() {
        return anySent;
    }

    /** Has a zero-length Write sent for its own sake. */
    public void probe() {
        pendingProbes++;
    }

    /** Sends a Terminate after the batch that is under way, and nothing after it. */
    public void terminate(Fault fault) {
        terminate = fault;
        abandonMessages();
        pendingRtr = Rtr.NONE;
        pendingProbes = 0;
        mayTransmit = true;
    }

    private void abandonMessages() {
        requests.abandon();
        responses.abandon();
    }

    public boolean terminateSent() {
        return terminateBuilt && writer.isEmpty();
    }

    /** Sends nothing any more. */
    public void stop() {
        stopped = true;
        abandonMessages();
    }

    /** Sends nothing that is posted from now on. */
    public void drain() {
        requests.drain();
    }

    /** Tells whether something may be sent now; a request that waits for ORD or a fence does not count. */
    public boolean wantsTransmit() {
        if (!writer.isEmpty()) {
            return true;
        }
        if (stopped || terminateBuilt) {
            return false;
        }
        if (terminate != null || requests.inMessage() || responses.inMessage()) {
            return true;
        }
        boolean own = pendingRtr != Rtr.NONE || pendingProbes > 0;
        return mayTransmit ? own || !inbound.isEmpty() || requests.isReady() : requests.localIsReady();
    }

    /**
     * Tells whether everything up to the drain limit is sent and answered, or cannot be.
     *
     * @param peerMaySend whether the peer may still send: answers, and the first FPDU, after which this side may send
     */
    public boolean isDrained(boolean peerMaySend) {
        boolean underWay = requests.inMessage() || requests.goesOn() || responses.inMessage();
        boolean idle = writer.isEmpty() && !underWay;
        boolean answered = outstanding.isEmpty() || !peerMaySend;
        boolean maySend = mayTransmit || peerMaySend;
        boolean sent = requests.isExhausted() || (!peerMaySend && !requests.isReady()) || !maySend;
        return idle && answered && sent && inbound.isEmpty() && pendingRtr == Rtr.NONE;
    }

    /**
     * Tells whether a local request, before which nothing is to be written, waits for another thread or a peer to leave
     * a window.
     */
    public boolean awaitsWindow() {
        return requests.retrySoon() && writer.isEmpty();
    }

    /**
     * Carries out on memory of the peer what would be built next, as far as that goes in one pass; nothing new as long
     * as there is something of another kind to send, or nothing was sent yet: the first FPDU tells the peer that this
     * side is there.
     *
     * @return whether there was something, and nothing of it is left
     */
    public boolean carryOut() {
        return requests.carryOut(hasNothingElse());
    }

    /** Tells whether {@link #carryOut} is to be called again. */
    public boolean goesOn() {
        return requests.goesOn();
    }

    /** Tells whether all that was posted is done, and {@link #carryOut} would begin with what is posted next. */
    public boolean isIdle() {
        return hasNothingElse() && requests.isIdle();
    }

    /**
     * A request that was not in the queue was carried out: so {@link #isIdle} has said, and it has passed the queue.
     */
    public void passed() {
        requests.passed();
    }

    /** Tells whether short requests may be built by others than this. */
    boolean predicts() {
        return predicts && !writer.hasCrc();
    }

    /** Returns the number of the Send that would be next. */
    int nextMsn() {
        return requests.nextMsn();
    }

    /** A Send as in {@link #passed}, with {@link #nextMsn}, is written, {@code octets} in all. */
    void passedSend(int octets) {
        writer.skip(octets);
        writtenPosition += octets;
        requests.passedSend();
    }

    private boolean hasNothingElse() {
        boolean more = stopped || terminate != null || responses.inMessage() || !inbound.isEmpty();
        boolean own = pendingRtr != Rtr.NONE || pendingProbes > 0;
        return writer.isEmpty() && anySent && mayTransmit && !more && !own && !requests.inMessage();
    }

    /** Builds the next batch, if the last one is written; answers the fault that it ran into. */
    @Nullable
    public Fault fill() {
        if (!writer.isEmpty()) {
            return null;
        }
        requests.clearRetry();
        found = null;
        boolean more = true;
        while (more && found == null && writer.hasRoom()) {
            more = buildPredicted() ? requests.isReady() : step();
        }
        writer.seal();
        return found;
    }

    /**
     * Builds one segment, or carries a local request out; what that runs into is {@link #found}.
     *
     * @return false if there was nothing that may be sent or carried out now
     */
    private boolean step() {
        if (stopped || terminateBuilt) {
            return false;
        }
        if (terminate != null) {
            buildTerminate(terminate);
            return true;
        }
        if (responses.inMessage()) {
            found = responses.segment();
            return true;
        }
        if (requests.inMessage()) {
            found = requests.segment();
            return true;
        }
        if (!mayTransmit) {
            // What puts nothing on the wire need not wait for the peer.
            return requests.localIsReady() && beginRequest();
        }
        if (pendingRtr != Rtr.NONE || pendingProbes > 0) {
            buildOwn();
            return true;
        }
        boolean request = requests.isReady();
        boolean response = !inbound.isEmpty() && (responseTurn || !request);
        if (!response && request && requests.nextIsLocal() && writer.holdsWindow()) {
            // It may take away what is to be written from there: it is the first of the next batch.
            responseTurn = false;
            writer.close();
            return true;
        }
        responseTurn = !response;
        if (response) {
            found = responses.begin();
            return true;
        }
        return request && beginRequest();
    }

    /** Returns how many requests were built by prediction. */
    long predicted() {
        return requests.predicted();
    }

    private boolean buildPredicted() {
        boolean expected = predicts && mayTransmit && terminate == null && !stopped;
        boolean own = pendingRtr != Rtr.NONE || pendingProbes > 0;
        boolean underWay = requests.inMessage() || responses.inMessage();
        if (!expected || own || underWay || !inbound.isEmpty()) {
            return false;
        }
        boolean built = requests.buildPredicted();
        responseTurn |= built;
        return built;
    }

    private boolean beginRequest() {
        found = requests.begin();
        return !requests.retrySoon();
    }

    private void buildOwn() {
        if (pendingRtr != Rtr.NONE) {
            requests.readyToReceive(pendingRtr);
            pendingRtr = Rtr.NONE;
        } else {
            pendingProbes--;
            requests.probe();
        }
    }

    private void buildTerminate(Fault fault) {
        DdpHeader.emitUntagged(writer.header(), 0, true, Opcode.TERMINATE, 0, 1, 0);
        int bytes = terminatedHeaders.emit(writer.header(), DdpHeader.UNTAGGED_BYTES, fault.code());
        writer.headerOnly(DdpHeader.UNTAGGED_BYTES + bytes);
        terminateBuilt = true;
    }

    /** Returns how many octets of the stream are written. */
    public long writtenOctets() {
        return writtenPosition;
    }

    /** {@code octets} more of the stream are written. */
    public void written(long octets) {
        if (octets > 0) {
            writtenPosition += octets;
            anySent = true;
            inbound.written(writtenPosition);
        }
        if (writer.isEmpty()) {
            requests.batchWritten();
        }
    }
}
