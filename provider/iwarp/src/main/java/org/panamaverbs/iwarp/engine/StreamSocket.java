package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.iwarp.core.CloseAction;
import org.panamaverbs.iwarp.core.SharedRing;
import org.panamaverbs.iwarp.core.Staging;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.iovec.Pool;
import org.panamaverbs.iwarp.net.FutexWaiter;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/** The transport of one stream: moves bytes between the two, and closes as the stream asks. Under the stream's lock. */
final class StreamSocket {
    // They bound one pass, so that one busy stream does not starve the others of the thread.
    private static final int ROUNDS = 64;
    private static final int BATCHES = 16;
    // So much is taken where it lies: a few small messages. Of more, one copy is faster.
    private static final int IN_PLACE_OCTETS = 512;
    private static final long SENT_OCTETS = 8 << 20;
    // Where the peer is gone the system has less; a ring has no end while its peer writes.
    private static final long REST_OCTETS = 8 << 20;

    private final Stream stream;
    private final Pool<Staging> stagings;
    private @Nullable Transport transport;
    // Of the transport, if it has one.
    private @Nullable SharedRing ring;
    // Nothing is received: the stream has no room, or the peer has ended. As of the last look.
    private boolean inputPaused;
    // The last read left no room: there may be more.
    private boolean inputFilled;
    // There is more to send than the transport took; as of the last batch.
    private boolean outputBlocked;
    private OutputEnd outputEnd = OutputEnd.NOT_UNDER_WAY;
    // Bytes sent in the pass under way.
    private long sentOctets;
    // For statistics, which read them on other threads: bytes each way, and the calls that moved them.
    private long allSent;
    private long allReceived;
    private long writes;
    private long reads;

    /** What of the end of this side's bytes has happened. */
    private enum OutputEnd {
        /** It is not asked for, or has left the transport. */
        NOT_UNDER_WAY,
        /** It is asked for and has not left the transport. */
        UNDER_WAY,
        /** The same, and the peer's end came meanwhile: the stream is told of it behind this side's. */
        PEERS_WITHHELD
    }

    /** Creates a socket for {@code stream} that borrows of {@code stagings} for each look at what the peer has sent. */
    public StreamSocket(Stream stream, Pool<Staging> stagings) {
        this.stream = stream;
        this.stagings = stagings;
    }

    /** Takes a transport over. */
    public void open(Transport connected) {
        transport = connected;
        connected.established();
        ring = connected.ring();
        stream.ring(ring);
        stream.reach(connected.reach(stream.domain(), stream.number(), stream.peerRights()));
    }

    /** Lets the peer at memory by messages alone from now on. */
    void dismiss() {
        Transport open = transport;
        if (open != null) {
            open.dismiss();
        }
    }

    /** Returns what is watched, null without a connection. */
    @Nullable
    Pollable channel() {
        Transport open = transport;
        return open == null ? null : open.channel();
    }

    /**
     * Has the channel become ready when there is more to do; {@code polled} threads look for input.
     *
     * @return what to watch the channel for, and {@link Transport#NOW} if its readiness will not tell of all there is
     */
    int await(boolean polled) {
        Transport of = transport;
        return of == null ? 0 : of.await(wanted(), polled);
    }

    private int wanted() {
        return (inputPaused ? 0 : Watch.READ) | (outputBlocked ? Watch.WRITE : 0);
    }

    /** Has the peer wake {@code at} from its next sleep when something comes; see {@link Transport#rest}. */
    Transport.Rest rest(FutexWaiter at) {
        Transport of = transport;
        return of == null ? Transport.Rest.NOWHERE : of.rest(wanted(), at);
    }

    /** Ends that. */
    void awake() {
        Transport of = transport;
        if (of != null) {
            of.awake();
        }
    }

    /** Sets bytes and calls of {@code statistics}, as of a moment ago; any thread, without the lock. */
    void fill(QueuePairStatistics.Builder statistics) {
        statistics
                .set(Counter.BYTES_SENT, allSent + stream.alone().octetsSent())
                .set(Counter.BYTES_RECEIVED, allReceived)
                .set(Counter.WRITES, writes + stream.alone().sent())
                .set(Counter.READS, reads);
    }

    /** The channel was found ready. */
    void ready() {
        Transport of = transport;
        if (of != null) {
            of.ready();
        }
    }

    /**
     * Makes the exchange in place of {@link #exchange} where the peer has put nothing into its ring, or little that is
     * expected, and there is nothing to send: what most passes of a thread that polls find.
     *
     * @return whether that was all; if not, what is left has still to be exchanged
     */
    boolean exchangeAtOnce() {
        SharedRing from = ring;
        Transport its = transport;
        if (from == null || its == null || inputPaused || outputBlocked) {
            return false;
        }
        int there = from.look();
        if (there < 0 || there > IN_PLACE_OCTETS) {
            return false;
        }
        int taken = there == 0 ? 0 : stream.takeFromRing(there);
        if (taken > 0) {
            reads++;
            allReceived += taken;
            its.received();
            if (!stream.isSettled()) {
                stream.settle(System.nanoTime());
            }
        }
        return taken == there && stream.isSettled() && !stream.wantsTransmit();
    }

    /**
     * Receives and sends until nothing moves, at most {@link #ROUNDS} times, and only once more after
     * {@link #SENT_OCTETS}.
     */
    public void exchange(long now) {
        boolean more = transport != null;
        sentOctets = 0;
        for (int round = 0; more && round < ROUNDS; round++) {
            boolean filled = receive(now);
            boolean wasPaused = inputPaused;
            boolean sent = hasOutput() && transmit(now);
            more = (filled || (wasPaused && sent)) && sentOctets < SENT_OCTETS;
        }
    }

    // Most of what a thread that polls makes has nothing to send.
    private boolean hasOutput() {
        Transport to = transport;
        return to != null && (outputBlocked || to.writesWithoutOctets() || stream.wantsTransmit());
    }

    /** Receives once, if there is memory to do it in; returns whether there may be more. */
    private boolean receive(long now) {
        Transport from = transport;
        if (from == null || isQuiet(from)) {
            return false;
        }
        Staging staging = stagings.take();
        if (staging == null) {
            // As many as may be are lent: what is there stays there, and the next pass finds it.
            return false;
        }
        try {
            return receive(from, staging, now);
        } finally {
            staging.giveBack();
        }
    }

    // Most passes of a thread that polls find nothing, and the sooner they know the sooner they find something.
    private boolean isQuiet(Transport from) {
        if (inputPaused || stream.state() != StreamState.ESTABLISHED) {
            return false;
        }
        try {
            return from.isQuiet();
        } catch (IOException e) {
            lost(from, e);
            return true;
        }
    }

    private boolean receive(Transport from, Staging staging, long now) {
        try {
            if (read(from, staging, now) < 0) {
                inputPaused = true;
                end(now);
            }
        } catch (IOException e) {
            lost(from, e);
        }
        return inputFilled;
    }

    /** Has the stream take what one read brings; returns its bytes, negative at the peer's end. */
    private long read(Transport from, Staging staging, long now) throws IOException {
        IoVector into = stream.receiveInto(staging);
        inputPaused = into.isEmpty();
        inputFilled = false;
        long octets = 0;
        try {
            if (!inputPaused) {
                reads++;
                octets = from.read(into);
                inputFilled = octets > 0 && !into.hasRemaining();
            }
        } finally {
            long came = Math.max(octets, 0);
            allReceived += came;
            stream.received(came, now);
        }
        from.received();
        return octets;
    }

    /** Takes what the peer sent before it went, behind a write that failed: it may be a Terminate that says why. */
    private void receiveRest(Transport from, long now) {
        Staging staging = stagings.take();
        if (staging == null) {
            return;
        }
        try {
            long octets = 1;
            for (long sum = 0; octets > 0 && sum < REST_OCTETS && stream.acceptsInput(); sum += octets) {
                octets = read(from, staging, now);
            }
        } catch (IOException e) {
            // There is no more; what is told is why the write failed.
        } finally {
            staging.giveBack();
        }
    }

    // The stream would have the channel closed at once, with the end of this side's bytes still to be sent.
    private void end(long now) {
        if (outputEnd == OutputEnd.NOT_UNDER_WAY) {
            stream.endOfStream(now);
        } else {
            outputEnd = OutputEnd.PEERS_WITHHELD;
        }
    }

    /**
     * Sends until nothing is left or the socket is full, at most {@link #BATCHES} times; returns whether anything went.
     */
    boolean transmit(long now) {
        Transport to = transport;
        if (to == null) {
            return false;
        }
        boolean sent = false;
        outputBlocked = false;
        for (int batch = 0; batch < BATCHES && stream.state() != StreamState.CLOSED; batch++) {
            IoVector from = stream.transmit(now);
            from.begin();
            boolean nothing = from.isEmpty();
            long octets = 0;
            IOException failure = null;
            try {
                to.write(from);
                outputBlocked = to.isBlocked();
            } catch (IOException e) {
                failure = e;
            } finally {
                // Another stream may have the vector once this one has nothing left of it.
                octets = from.moved();
                stream.sent(octets, now);
            }
            sent |= octets > 0;
            sentOctets += octets;
            allSent += octets;
            writes += nothing ? 0 : 1;
            if (failure != null) {
                receiveRest(to, now);
                lost(to, failure);
                return sent;
            }
            // Behind a batch that went whole there most often is nothing, and to look for it is as long as to send it.
            if (nothing || outputBlocked || !stream.wantsTransmit()) {
                return sent;
            }
        }
        outputBlocked = stream.wantsTransmit();
        return sent;
    }

    /** Tells the stream what the peer's TCP has still to acknowledge; returns false if the transport is lost. */
    private boolean tellUnacknowledged(long now) {
        try {
            stream.unacknowledged(unacknowledged(), now);
            return true;
        } catch (IOException e) {
            lost(e);
            return false;
        }
    }

    /**
     * Tells the stream what its watchdog asks for: what the peer's TCP has still to acknowledge, where there is a wire,
     * and whether the peer is where it must not be any more, where it reaches memory. False if the transport is lost.
     */
    boolean lookAtPeer(long now) {
        Transport its = transport;
        if (its != null) {
            stream.overdue(its.overdue());
        }
        return its == null || !its.hasWire() || tellUnacknowledged(now);
    }

    /** Tells the stream that its transport failed so. */
    void lost(IOException failure) {
        Transport of = transport;
        if (of != null) {
            lost(of, failure);
        }
    }

    private void lost(Transport of, IOException failure) {
        stream.lost(of.lost(failure), SocketErrors.message(failure));
    }

    private long unacknowledged() throws IOException {
        Transport open = transport;
        return open == null ? 0 : open.unacknowledged();
    }

    /**
     * Closes as far as the stream asks for it. Can be repeated: what failed the last time is done then.
     *
     * @return whether there is no transport: not yet, or not any more
     */
    boolean close(long now) {
        if (stream.awaitsAcknowledgement()) {
            tellUnacknowledged(now);
        }
        for (CloseAction action = stream.closeAction(); action != CloseAction.NONE; action = stream.closeAction()) {
            if (action != CloseAction.SHUTDOWN_OUTPUT) {
                closeTransport(action == CloseAction.ABORT);
                stream.closed();
            } else if (!shutdownOutput(now)) {
                break;
            }
        }
        return transport == null;
    }

    /** Ends the output; false if the channel has no room for that yet. */
    private boolean shutdownOutput(long now) {
        Transport to = transport;
        try {
            outputBlocked = to != null && !to.shutdownOutput();
            if (outputBlocked) {
                if (outputEnd == OutputEnd.NOT_UNDER_WAY) {
                    outputEnd = OutputEnd.UNDER_WAY;
                }
                return false;
            }
            stream.outputShutDown(unacknowledged(), now);
            if (outputEnd == OutputEnd.PEERS_WITHHELD) {
                stream.endOfStream(now);
            }
            outputEnd = OutputEnd.NOT_UNDER_WAY;
        } catch (IOException e) {
            lost(e);
        }
        return true;
    }

    private void closeTransport(boolean reset) {
        Transport open = transport;
        if (open != null) {
            ring = null;
            stream.ring(null);
            stream.reach(null);
            open.close(reset);
            // Behind it: what was not closed is closed the next time.
            transport = null;
        }
    }
}
