package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.SetupTerminate;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.cm.SetupPhase.Event;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.engine.transport.SetupFailure;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;
import org.panamaverbs.iwarp.engine.transport.TlsErrors;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.engine.transport.Transports;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * Sets one connection up: TCP connects, what is above it opens, MPA frames are exchanged, and the owner takes the
 * transport; {@link SetupPhase} has the steps. Until then the transport is this one's: whatever ends the set-up, the
 * owner hears why, once, and the transport is closed. Belongs to the event loop's thread.
 */
public final class Setup implements LoopHandler {
    /** Wants the connection, and hears how its set-up goes; called on the loop's thread. */
    public interface Owner {
        /** Responder: the request is here, to be accepted or rejected. */
        default void requestReady(Setup setup) {
            throw new IllegalStateException("only a listener waits for requests");
        }

        /**
         * Agreed, and all frames are sent: takes the transport and its watch, and says so at once by {@link #taken}. If
         * it throws before, it hears {@link #ended}.
         *
         * @throws IOException if the transport has failed
         * @throws ConnectionException if there is no use for it
         */
        default void agreed(Setup setup, Transport transport, Watch watch) throws IOException {
            throw new IllegalStateException("no attempt owns this connection");
        }

        /** It failed, or this side rejected ({@code failure} is null then). If it throws, it is called again. */
        void ended(Setup setup, @Nullable ConnectionException failure);
    }

    /** What is said where there was no memory. */
    static final String NO_MEMORY =
            "internal error: out of memory; remedy: give the Java virtual machine more memory (-Xmx)";

    /** Why a set-up ended that nobody wants any more; nobody hears of it. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // dropping needs no memory, which may be what lacks
    static final ConnectionException DROPPED =
            withoutStack(new ConnectionException("accept", Reason.CLOSED, "the request was dropped", null));

    /** Why a set-up ended for which there was no memory to say why; whoever hears of it says it anew. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // made beforehand for the same reason
    static final ConnectionException OUT_OF_MEMORY =
            withoutStack(new ConnectionException("connect", Reason.CLOSED, NO_MEMORY, null));

    // What failed of an end, for lack of memory most likely, is tried again so much later.
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_LINGER_NANOS = TimeUnit.DAYS.toNanos(1);

    // When the Reply is begun for a peer that takes it in pieces, although the application has not answered: the peer
    // is not to take this side for a stranger. An application that answers sooner has its Reply sent in one piece.
    private static final long REPLY_BEGINS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static volatile boolean prepared;

    /** Some of the work. */
    private interface Step {
        void run() throws IOException;
    }

    private final LoopTimer timer = new LoopTimer();
    private final EventLoop loop;
    private final InetSocketAddress peer;
    private final StartupConfig wish;
    private final @Nullable LingeringPeers lingering;
    private final String operation;
    private final Runnable again = this::again;
    private final Runnable drop = this::dropped;
    private final Runnable endLinger = this::endLinger;
    private final long beganNanos = System.nanoTime();
    /** The request behind this one; of {@link ReadyRequests}. */
    @Nullable
    Setup nextReady;

    private Owner owner;
    private SetupPhase phase = SetupPhase.NEW;
    private Transport transport;
    // Whether it took the place of another, which the peer did not understand.
    private boolean beganAnew;
    // What the loop watches, once it does: the transport's channel, which may become another.
    private @Nullable Pollable channel;
    private @Nullable Watch watch;
    // How long TCP took to connect; negative before.
    private long connectNanos = -1;
    // The frames, from when the transport is open: what is asked for depends on it.
    private @Nullable MpaStartup startup;
    // Whether a peer that is turned away has seen the end of this side's bytes.
    private boolean shut;
    // Whether the owner has heard of the end.
    private boolean told;
    private volatile long deadlineNanos;
    // Why it ended without an agreement, and what an initiator had not reached; any thread reads them later.
    private volatile @Nullable ConnectionException failure;
    private volatile String missing = "";
    // Initiator: what the peer has shown, for any thread.
    private volatile long askedNanos;
    private volatile boolean asked;
    private volatile boolean announced;
    private volatile boolean answered;

    private Setup(
            EventLoop loop,
            Transport transport,
            InetSocketAddress peer,
            StartupConfig wish,
            @Nullable LingeringPeers lingering,
            Owner owner) {
        this.loop = loop;
        this.transport = transport;
        this.peer = peer;
        this.wish = wish;
        this.lingering = lingering;
        this.owner = owner;
        operation = isInitiator() ? "connect" : "accept";
    }

    // It would show where this class was initialized, in the log, too.
    private static ConnectionException withoutStack(ConnectionException made) {
        made.setStackTrace(new StackTraceElement[0]);
        return made;
    }

    /** Creates the set-up of a connection that {@code transport} is to be connected for, to {@code peer}. */
    public static Setup initiator(
            EventLoop loop, Transport transport, InetSocketAddress peer, StartupConfig wish, Owner owner) {
        return new Setup(loop, transport, peer, wish, null, owner);
    }

    /** Creates the set-up of a connection that {@code transport} was accepted for, from {@code peer}. */
    public static Setup responder(
            EventLoop loop,
            Transport transport,
            InetSocketAddress peer,
            StartupConfig wish,
            LingeringPeers lingering,
            Owner owner) {
        return new Setup(loop, transport, peer, wish, lingering, owner);
    }

    /**
     * Has all of a responder's part loaded, once, by an exchange of frames in memory: the first peer of a process that
     * has just started waits only for what its own request takes.
     */
    static void prepare(StartupConfig wish) {
        if (prepared) {
            return;
        }
        MpaStartup asked = MpaStartup.responder(wish);
        ByteBuffer request = MpaStartup.initiator(wish).transmitBuffer();
        while (asked.state() == MpaStartup.State.IN_PROGRESS && request.hasRemaining()) {
            ByteBuffer into = asked.receiveBuffer();
            int octets = Math.min(into.remaining(), request.remaining());
            into.put(request.slice().limit(octets));
            request.position(request.position() + octets);
            asked.received();
        }
        asked.beginReply();
        HalfOpenPeers<MpaStartup> peers = new HalfOpenPeers<>(1, 0);
        peers.add(asked, InetAddress.getLoopbackAddress(), 0);
        peers.remove(asked);
        Transports.prepareAccepting();
        prepared = true;
    }

    private boolean isInitiator() {
        return lingering == null;
    }

    // ---- what is known of it --------------------------------------------------------------------------------------

    /**
     * Returns the exchange of frames, to ask what the peer said.
     *
     * @throws IllegalStateException if the transport was never open
     */
    public MpaStartup startup() {
        MpaStartup begun = startup;
        if (begun == null) {
            throw new IllegalStateException("nothing was exchanged with the peer yet");
        }
        return begun;
    }

    /** Returns how long the peer has been silent, as {@link PendingConnection#silentNanos} says; any thread. */
    long silentNanos() {
        if (answered) {
            return 0;
        }
        if (!asked) {
            return -1;
        }
        return Math.max(1, System.nanoTime() - askedNanos);
    }

    /** Tells whether somebody says that a listener is there, as {@link PendingConnection#isAnnounced}; any thread. */
    boolean isAnnounced() {
        return announced;
    }

    /** Returns the peer's address. */
    InetSocketAddress peer() {
        return peer;
    }

    /** Tells whether it connected a second time, as the peer did not understand the first. */
    boolean beganAnew() {
        return beganAnew;
    }

    /** Returns the TLS session, null without TLS or before there is one. */
    @Nullable
    SSLSession tlsSession() {
        return transport.session();
    }

    /** Tells whether it ended without an agreement; any thread. */
    boolean hasFailed() {
        return failure != null;
    }

    /** Returns what an initiator that was cancelled had not reached, empty if it was not cancelled; any thread. */
    String missing() {
        return missing;
    }

    /** Returns what is said of {@code cause}, which no peer and no network is to blame for. */
    static String internal(Throwable cause) {
        return "internal error: " + cause + "; remedy: report it with the stack trace of its cause";
    }

    // ---- what the owner wants -------------------------------------------------------------------------------------

    /** Begins as initiator. */
    public void connect() {
        run(() -> {
            enter(Event.CONNECT);
            if (phase == SetupPhase.CONNECTING) {
                watchFor(Watch.WRITE);
                if (transport.connect(peer)) {
                    move(watch());
                }
            }
        });
    }

    /** Begins as responder; the peer has until {@code deadline} for its request. */
    public void awaitRequest(long deadline) {
        try {
            enter(Event.CONNECTED);
            watchFor(Watch.READ);
            dueAt(deadline);
        } catch (IOException e) {
            broke(e);
        }
    }

    /**
     * Responder: accepts on behalf of {@code answerer}, who hears of the rest.
     *
     * @param typeOfService the connection's, 0 for the system's
     */
    public void accept(StartupConfig answer, int typeOfService, Owner answerer) {
        answer(answerer, () -> {
            requireSilence();
            if (typeOfService != 0) {
                transport.typeOfService(typeOfService);
            }
            startup().accept(fitting(answer));
        });
    }

    /** Responder: rejects on behalf of {@code answerer}, who hears when the reply is sent. */
    public void reject(byte[] privateData, Owner answerer) {
        answer(answerer, () -> startup().reject(privateData));
    }

    private void answer(Owner answerer, Step answer) {
        owner = answerer;
        if (phase != SetupPhase.WAITING) {
            answerer.ended(this, gone());
            return;
        }
        run(() -> {
            enter(Event.ANSWERED);
            loop.unwatch(this);
            answer.run();
            exchange();
        });
    }

    // Why its request cannot be answered any more.
    private ConnectionException gone() {
        ConnectionException why = failure;
        try {
            return why != null ? why : SocketErrors.answered(operation, peer);
        } catch (OutOfMemoryError e) {
            return OUT_OF_MEMORY;
        }
    }

    /** Notes that the owner has taken the transport: it is not this one's to close from now on. */
    public void taken() {
        enter(Event.TAKEN);
    }

    /**
     * Responder: begins the Reply if the application has not answered soon; only for a peer that is known to take a
     * Reply in pieces. Others reset a connection whose first segment is not the whole of it.
     */
    void beginReplySoon() {
        if (phase == SetupPhase.WAITING) {
            dueAt(System.nanoTime() + REPLY_BEGINS_NANOS);
        }
    }

    /** Looks at once whether the peer has sent something; what goes wrong with it is not the caller's affair. */
    void look() {
        run(() -> move(watch()));
    }

    /**
     * Has the loop end the set-up, whatever it is at, since nobody wants it any more; any thread, and without memory.
     */
    void drop() {
        loop.execute(drop);
    }

    /** Ends the set-up, whatever it is at; the owner hears {@code reason}. Does nothing when it is over. */
    void cancel(ConnectionException reason) {
        try {
            if (isInitiator() && phase != SetupPhase.HANDED_OVER && phase != SetupPhase.OVER) {
                int replyOctets = startup == null ? -1 : startup().bytesReceived();
                missing = SocketErrors.missing(beganNanos, connectNanos, transport.lacking(), replyOctets);
            }
        } finally {
            end(reason);
        }
    }

    // ---- what happens ---------------------------------------------------------------------------------------------

    @Override
    public void ready(Watch readyWatch, long now) {
        try {
            move(readyWatch);
        } catch (IOException e) {
            broke(e);
        }
    }

    private void dropped() {
        cancel(DROPPED);
    }

    private void endLinger() {
        end(OUT_OF_MEMORY);
    }

    // There is something of which the channel's readiness does not tell.
    private void again() {
        switch (phase) {
            case OPENING, EXCHANGING, WAITING, LINGERING -> look();
            case NEW, CONNECTING, ENDING, HANDED_OVER, OVER -> {}
        }
    }

    /** Takes a step, if the peer lets it. */
    private void move(Watch readyWatch) throws IOException {
        transport.ready();
        switch (phase) {
            case CONNECTING -> {
                if (transport.finishConnect()) {
                    enter(Event.CONNECTED);
                    connectNanos = connectNanos < 0 ? System.nanoTime() - beganNanos : connectNanos;
                    open();
                }
            }
            case OPENING -> open();
            case EXCHANGING -> exchange();
            case WAITING -> {
                requireSilence();
                await(Watch.READ);
            }
            case LINGERING -> linger();
            case NEW, ENDING, HANDED_OVER, OVER -> {
                // What failed of an end is tried once more.
                end(OUT_OF_MEMORY);
                readyWatch.interest(0);
            }
        }
    }

    // Whatever a step throws ends this set-up, and nothing else.
    private void run(Step step) {
        try {
            try {
                step.run();
            } catch (IOException e) {
                broke(e);
            }
        } catch (RuntimeException e) {
            if (phase == SetupPhase.CONNECTING) {
                end(SocketErrors.connecting(peer, e));
            } else {
                failed(e);
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** The transport failed. */
    private void broke(IOException cause) {
        boolean tls = cause instanceof SSLException;
        if (phase == SetupPhase.LINGERING) {
            close(); // a reset: the peer hears nothing more
        } else if (tls && !isInitiator() && (startup == null || startup().state() == MpaStartup.State.IN_PROGRESS)) {
            turnAway(SocketErrors.broken(operation, peer, cause, startup));
        } else if (phase != SetupPhase.OPENING || tls || !connectAnew()) {
            end(
                    phase == SetupPhase.CONNECTING
                            ? SocketErrors.connecting(peer, cause)
                            : SocketErrors.broken(operation, peer, cause, startup));
        }
    }

    @Override
    public LoopTimer timer() {
        return timer;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    private void dueAt(long deadline) {
        deadlineNanos = deadline;
        loop.watch(this);
    }

    @Override
    public void timeout(long now) {
        if (phase == SetupPhase.OVER || phase == SetupPhase.HANDED_OVER) {
            loop.unwatch(this);
            return;
        }
        if (phase == SetupPhase.LINGERING || phase == SetupPhase.ENDING) {
            end(OUT_OF_MEMORY);
            return;
        }
        if (phase == SetupPhase.WAITING) {
            loop.unwatch(this);
            run(() -> {
                startup().beginReply();
                send(startup().transmitBuffer()); // what there is no room for goes with the rest
            });
            return;
        }
        String lacking = phase == SetupPhase.OPENING ? transport.lacking() : "sent no MPA Request";
        end(SocketErrors.late(lacking, operation, peer));
    }

    @Override
    public void failed(Throwable cause) {
        ConnectionException reason = OUT_OF_MEMORY;
        try {
            reason = new ConnectionException(operation, Reason.CLOSED, internal(cause), cause);
        } finally {
            end(reason);
        }
    }

    @Override
    public void loopClosed() {
        cancel(new ConnectionException(operation, Reason.CLOSED, "the context was closed", null));
    }

    private void enter(Event event) {
        SetupPhase next = phase.after(event);
        if (next == null) {
            throw new IllegalStateException(event + " cannot happen to a set-up in phase " + phase);
        }
        phase = next;
    }

    // ---- the transport --------------------------------------------------------------------------------------------

    private Watch watch() {
        Watch registered = watch;
        if (registered == null) {
            throw new IllegalStateException("no channel of the connection is registered");
        }
        return registered;
    }

    /** Watches the transport's channel for {@code operations}, in place of the one before if it is another. */
    private void watchFor(int operations) throws IOException {
        Pollable its = transport.channel();
        if (its.equals(channel)) {
            watch().interest(operations);
            return;
        }
        if (watch != null) {
            watch.cancel();
        }
        channel = its;
        watch = loop.register(its, operations, this);
    }

    /** Waits until the transport can do one of {@code operations}. */
    private void await(int operations) throws IOException {
        int awaited = transport.await(operations, false);
        watchFor(awaited & ~Transport.NOW);
        if ((awaited & Transport.NOW) != 0) {
            loop.execute(again);
        }
    }

    /** Opens the transport, which is connected, as far as possible now; the frames come behind that. */
    private void open() throws IOException {
        int wanted = transport.open(again);
        announced = transport.isAnnounced();
        answered |= transport.isAnswered();
        if (!asked) {
            askedNanos = System.nanoTime();
            asked = true;
        }
        if (wanted != Transport.OPEN) {
            watchFor(wanted);
            return;
        }
        // Its channel may be another than the last one of the set-up.
        transport = transport.carrier();
        watchFor(Watch.READ);
        StartupConfig fitting = fitting(wish);
        startup = isInitiator() ? MpaStartup.initiator(fitting) : MpaStartup.responder(fitting);
        enter(Event.OPENED);
        exchange();
    }

    /** Connects anew, without what the peer did not understand; false if that is not why it failed. */
    private boolean connectAnew() {
        Transport before = transport;
        Transport other;
        try {
            other = before.another();
        } catch (VerbsException e) {
            // A port that may not be bound, or a lack of this process, is a ResourceException.
            String what = SocketErrors.message(e);
            String prefix = e.operation() + ": ";
            what = what.startsWith(prefix) ? what.substring(prefix.length()) : what;
            end(
                    e instanceof ConnectionException failed
                            ? failed
                            : new ConnectionException(operation, Reason.CLOSED, what, e));
            return true;
        }
        if (other == null) {
            return false;
        }
        boolean closed = false;
        try {
            // Before the other takes its place: if it fails, the end of the set-up closes it once more.
            before.close(false);
            closed = true;
        } finally {
            if (!closed) {
                other.close(false);
            }
        }
        transport = other;
        beganAnew = true;
        asked = false;
        channel = null;
        watch = null;
        connect();
        return true;
    }

    /** Returns {@code asked} without what only a wire needs, if the transport has none. */
    private StartupConfig fitting(StartupConfig asked) {
        return transport.hasWire() ? asked : asked.withoutCrcAndMarkers();
    }

    // ---- the frames -----------------------------------------------------------------------------------------------

    /** Exchanges frames until the peer or the application has to move, or it is over. */
    private void exchange() throws IOException {
        MpaStartup frames = startup();
        boolean asks = frames.transmitBuffer().hasRemaining();
        while (send(frames.transmitBuffer())) {
            switch (frames.state()) {
                case IN_PROGRESS -> {
                    // A peer that was asked just now has not answered.
                    int wanted = asks ? Watch.READ : receive(frames);
                    if (wanted != 0) {
                        await(wanted);
                        return;
                    }
                }
                case REQUEST_READY -> {
                    enter(Event.ASKED);
                    loop.unwatch(this);
                    // A peer that leaves while its request waits shows it by its FIN or reset.
                    await(Watch.READ);
                    owner.requestReady(this);
                    return;
                }
                case DONE -> {
                    handOver();
                    return;
                }
                case REJECTED -> {
                    if (isInitiator()) {
                        end(SocketErrors.rejected(operation, peer, frames));
                    } else {
                        turnAway(null);
                    }
                    return;
                }
                case FAILED -> {
                    end(SocketErrors.setup(operation, peer, frames));
                    return;
                }
            }
        }
        await(Watch.WRITE);
    }

    /** Sends what is to be sent; false if the transport has no room for all of it. */
    private boolean send(ByteBuffer out) throws IOException {
        if (out.hasRemaining()) {
            transport.write(out);
        }
        return !out.hasRemaining() && transport.flush();
    }

    /** Receives what is there; returns what to wait for if that is nothing, else 0. */
    private int receive(MpaStartup into) throws IOException {
        ByteBuffer in = into.receiveBuffer();
        int octets = transport.read(in);
        if (octets == 0) {
            return Watch.READ | (transport.isBlocked() ? Watch.WRITE : 0);
        }
        if (octets < 0) {
            into.endOfStream();
        } else {
            TlsErrors.requirePlain(in, isInitiator());
            into.received();
            answered = into.isKeyReceived();
        }
        return 0;
    }

    // RFC 5044 §7.1.2: an initiator sends nothing between its request and the reply.
    private void requireSilence() throws IOException {
        int octets = transport.read(ByteBuffer.allocate(1));
        if (octets < 0) {
            throw new SetupFailure(Reason.RESET, "the peer closed the connection before it was accepted");
        }
        if (octets > 0) {
            throw new SetupFailure(Reason.RESET, "the peer sent bytes after its MPA Request");
        }
    }

    // ---- its ends -------------------------------------------------------------------------------------------------

    private void handOver() throws IOException {
        loop.unwatch(this);
        transport = transport.carrier();
        await(Watch.READ);
        try {
            owner.agreed(this, transport, watch());
        } catch (ConnectionException e) {
            end(e);
        }
    }

    /** Gives the peer time to read what was sent last, then closes; the owner hears of a failure when it had that. */
    private void turnAway(@Nullable ConnectionException why) {
        enter(Event.TURNED_AWAY);
        failure = why;
        LingeringPeers among = Objects.requireNonNull(lingering);
        try {
            dueAt(System.nanoTime() + Math.min(among.nanos(), MAX_LINGER_NANOS));
            among.begin(endLinger);
            linger();
        } catch (IOException e) {
            close(); // a reset: the peer hears nothing more
        } finally {
            if (why == null) {
                tell(null);
            }
        }
    }

    // A close with input unread would reset the connection, and the peer would lose what was sent last.
    private void linger() throws IOException {
        shut = shut || transport.shutdownOutput();
        if (transport.discard()) {
            close();
        } else {
            await(Watch.READ | (shut ? 0 : Watch.WRITE));
        }
    }

    // The boundary of a set-up: what fails of its end is done by the timer, and is nobody else's affair.
    private void end(ConnectionException reason) {
        boolean agreed = phase == SetupPhase.EXCHANGING && startup().state() == MpaStartup.State.DONE;
        try {
            enter(Event.FAILED);
            if (phase == SetupPhase.LINGERING) {
                close();
            } else if (phase == SetupPhase.ENDING) {
                failure = failure == null ? reason : failure;
                try {
                    if (agreed) {
                        tellPeer();
                    }
                } finally {
                    close();
                }
            }
        } catch (Throwable e) {
            if (phase != SetupPhase.LINGERING && phase != SetupPhase.ENDING) {
                return; // it is over, and all that could not be done was to tell the peer
            }
            dueAt(System.nanoTime() + RETRY_NANOS);
            String what = "a connection set-up cannot be ended now; ending it is retried";
            DeferredLog.log(Setup.class, System.Logger.Level.WARNING, what, e);
        }
    }

    /** Tells the peer, if it may be told, that this side cannot go on (RFC 6581 §9.3). */
    private void tellPeer() {
        try {
            ByteBuffer terminate = SetupTerminate.octets(startup().negotiated());
            if (terminate.hasRemaining()) {
                transport.write(terminate);
            }
        } catch (IOException e) {
            String what = "a peer disconnected before this side could report its failure";
            DeferredLog.log(Setup.class, System.Logger.Level.DEBUG, what, e);
        }
    }

    /** Closes the transport and tells the owner; what fails of that is tried again by {@link #end}. */
    private void close() {
        try {
            transport.close(false);
            if (lingering != null) {
                // Behind it: what is still open is come back to.
                lingering.end(endLinger);
            }
        } finally {
            tell(failure);
        }
        loop.unwatch(this);
        enter(Event.CLOSED);
    }

    private void tell(@Nullable ConnectionException why) {
        if (!told) {
            owner.ended(this, why);
            told = true;
        }
    }
}
