package org.panamaverbs.testkit.soak.line;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.ReceiveLedger;
import org.panamaverbs.testkit.soak.ledger.SendLedger;
import org.panamaverbs.testkit.soak.ledger.Tally;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;
import org.panamaverbs.testkit.soak.ledger.Verdict;
import org.panamaverbs.testkit.soak.traffic.Hello;
import org.panamaverbs.testkit.soak.traffic.Layout;
import org.panamaverbs.testkit.soak.traffic.Traffic;

/**
 * One end of one connection, from the making of its queue pair until everything of it is closed. Made and closed by a
 * thread for setting up; in between all is done by its worker's thread.
 */
public final class Line {
    /** The kind bits of the ids of its sends. */
    static final long SEND_KIND = 0;
    /** The kind bits of the ids of its receives. */
    static final long RECEIVE_KIND = 1L << 62;

    /** Where the serial number is in a work request id. */
    static final int SERIAL_SHIFT = 32;

    /** The receives of a line that has its own receive queue. */
    static final int OWN_RECEIVES = 16;
    /** The messages that may be under way to a line with the shared receive queue. */
    static final int SHARED_RECEIVES = 4;
    /** Bytes of each receive. */
    static final int RECEIVE_BYTES = 2048;

    private static final long DISCONNECT_SECONDS = 20;
    private static final int BURST = 4;

    /** How a line comes to its end. */
    public enum End {
        DISCONNECT(Count.DISCONNECTED),
        ABORT(Count.ABORTED),
        SET_TO_ERROR(Count.SET_TO_ERROR),
        CLOSE_IN_FLIGHT(Count.CLOSED_IN_FLIGHT),
        PEER(Count.ENDED_BY_PEER),
        KILL(Count.ENDED_BY_KILL);

        private final Count count;

        End(Count count) {
            this.count = count;
        }
    }

    private enum Stage {
        SETUP,
        UP,
        ENDING,
        ENDED
    }

    /** A worker, as its lines see it. */
    interface Host {
        /** Returns what queue pairs of its lines are made with. */
        QueuePairConfig queuePairConfig(boolean withSrq, int receives);

        /** Passes completions to {@code line} from now on; any thread. */
        void watch(Line line);

        /** Takes no more completions of {@code line}. */
        void forget(Line line);

        /** Returns how many polls took all that there was; on its thread. */
        long drains();
    }

    private final PartyContext party;
    private final Host worker;
    private final int serial;
    private final boolean shared;
    private final @Nullable Outgoing outgoing;
    private final Layout layout;
    private final RegisteredBuffer buffer;
    private final QueuePair queuePair;
    private final Hello hello;
    private final ReceiveLedger receives = new ReceiveLedger();
    private final SendLedger sends = new SendLedger(Traffic.DEPTH, this::succeeded);
    private @Nullable Connection connection;
    private @Nullable Traffic traffic;
    private @Nullable Life life;
    private Stage stage = Stage.SETUP;
    private boolean peerEnds;
    private volatile boolean down;
    private int messagesTaken;
    private long upNanos = System.nanoTime();
    private long endNanos;
    private long settledAt = -1;

    /** Makes the queue pair and posts its receives; the worker sees its completions from now on. */
    Line(PartyContext party, Host worker, int serial, int laneBytes, boolean shared, @Nullable Outgoing outgoing) {
        this.party = party;
        this.worker = worker;
        this.serial = serial;
        this.shared = shared;
        this.outgoing = outgoing;
        layout = new Layout(laneBytes, shared ? 0 : OWN_RECEIVES, RECEIVE_BYTES);
        buffer = party.domain().allocate(layout.bytes(), party.rights());
        try {
            queuePair = party.domain().queuePair(worker.queuePairConfig(shared, layout.receives()));
        } catch (RuntimeException e) {
            buffer.close();
            throw e;
        }
        hello = new Hello(
                party.config().peer(),
                party.config().incarnation(),
                laneBytes,
                shared ? SHARED_RECEIVES : OWN_RECEIVES,
                RECEIVE_BYTES,
                party.config().seed() * 31 + serial,
                buffer.remote());
        for (int i = 0; i < layout.receives(); i++) {
            postReceive();
        }
        worker.watch(this);
    }

    /** Returns its number, which no other line of the process has. */
    int serial() {
        return serial;
    }

    /** Returns its queue pair. */
    QueuePair queuePair() {
        return queuePair;
    }

    /** Returns what it tells the other end. */
    Hello hello() {
        return hello;
    }

    private void postReceive() {
        long wrId = RECEIVE_KIND | ((long) serial << SERIAL_SHIFT) | receives.next();
        int status = queuePair.recv(wrId, buffer, layout.receive(receives.next()), RECEIVE_BYTES);
        if (status != PostStatus.ACCEPTED) {
            party.faults().report(Faults.Kind.REFUSED, this + ": receive: " + PostStatus.text(status));
            return;
        }
        receives.posted();
        party.tally().add(Count.RECEIVES_POSTED);
    }

    // ---- on the worker's thread -----------------------------------------------------------------------------------

    /** Is connected. */
    void up(Connection established, Hello peer, @Nullable Life itsLife) {
        connection = established;
        life = itsLife;
        upNanos = System.nanoTime();
        traffic = new Traffic(
                new Traffic.Side(queuePair, buffer, hello),
                peer,
                sends,
                SEND_KIND | ((long) serial << SERIAL_SHIFT),
                party.verbs().capabilities(),
                party.tally(),
                party.faults());
        stage = Stage.UP;
        party.tally().add(outgoing == null ? Count.ACCEPTED : Count.CONNECTED);
        party.tally().add(Mix.count(established));
        party.upCount().incrementAndGet();
        if (party.isPaused()) {
            end(End.DISCONNECT);
        }
    }

    /** Could not be connected. */
    void failed() {
        stage = Stage.ENDING;
        endNanos = System.nanoTime();
        setToError();
    }

    private void succeeded(long sequence) {
        Traffic its = traffic;
        if (its != null) {
            its.succeeded(sequence);
        }
    }

    /** A send is completed. */
    void sent(WorkCompletion completion) {
        Verdict verdict = sends.completed(completion.wrId() & 0xFFFF_FFFFL, completion.ok());
        judge(verdict, completion);
    }

    /** A receive of its own is completed. */
    void received(WorkCompletion completion) {
        long sequence = completion.wrId() & 0xFFFF_FFFFL;
        Verdict verdict = receives.completed(sequence, completion.ok());
        judge(verdict, completion);
        if (completion.ok() && verdict == Verdict.DUE) {
            party.tally().add(Count.RECEIVED);
            taken(completion, buffer, layout.receive(sequence));
            postReceive();
        }
    }

    /** A receive of the shared queue was taken by a message to this line, which arrived. */
    void receivedShared(WorkCompletion completion, RegisteredBuffer memory, long offset) {
        party.tally().add(Count.RECEIVED_SHARED);
        taken(completion, memory, offset);
    }

    private void taken(WorkCompletion completion, RegisteredBuffer memory, long offset) {
        Traffic.check(completion, memory.segment(), offset, messagesTaken, hello.key(), party.faults());
        messagesTaken++;
    }

    private void judge(Verdict verdict, WorkCompletion completion) {
        if (verdict != Verdict.DUE) {
            party.faults().verdict(verdict, this + ": " + completion);
        }
        if (completion.qpNumber() != queuePair.number()) {
            party.faults().report(Faults.Kind.UNKNOWN, this + ": queue pair number of " + completion);
        }
    }

    /** Does what is due; returns whether it did something. */
    boolean visit() {
        if (stage == Stage.UP) {
            Connection its = connection;
            if (its == null || !its.isConnected() || queuePair.state() == QueuePairState.ERROR) {
                end(life != null && life.isKilled() ? End.KILL : End.PEER);
                return true;
            }
            if (life != null && life.isKilled() && isOver(life.killedNanos(upNanos))) {
                party.faults().report(Faults.Kind.LATE, this + ": did not notice the death of its peer");
                end(End.ABORT);
                return true;
            }
            Traffic mine = traffic;
            boolean granted = mine != null && mine.grant(messagesTaken);
            return (mine != null && mine.burst(BURST)) || granted;
        }
        return stage == Stage.ENDING && tryFinish();
    }

    /** Begins its end, unless it has begun. */
    void end(End how) {
        Connection its = connection;
        if (stage != Stage.UP || its == null) {
            return;
        }
        End kind = how == End.CLOSE_IN_FLIGHT && shared ? End.SET_TO_ERROR : how;
        stage = Stage.ENDING;
        endNanos = System.nanoTime();
        party.upCount().decrementAndGet();
        party.tally().add(kind.count);
        if (kind == End.KILL) {
            party.tally().add(Mix.killed(its));
        }
        switch (kind) {
            case DISCONNECT -> party.inBackground(this + ": disconnect", () -> disconnect(its));
            case ABORT ->
                party.inBackground(this + ": abort", () -> {
                    its.close();
                    down = true;
                });
            case SET_TO_ERROR -> setToError();
            case CLOSE_IN_FLIGHT -> closeInFlight();
            case PEER, KILL -> peerEnds = true;
        }
    }

    private void disconnect(Connection its) {
        try {
            its.disconnect(Deadline.in(DISCONNECT_SECONDS, TimeUnit.SECONDS));
        } catch (VerbsException e) {
            if (!isExcused(e)) {
                party.faults().report(Faults.Kind.LATE, this + ": " + e);
            }
        }
        down = true;
    }

    // Whoever is hostile or dies meanwhile ends a line in whatever way, and the process
    // under test breaks lines off as it likes: then it is right that one is told.
    private boolean isExcused(VerbsException failure) {
        boolean breaksOff = party.config().peer() >= 0 && failure instanceof ConnectionException;
        return life == null || life.isKilled() || breaksOff;
    }

    private void setToError() {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        down = true;
    }

    // What is under way is discarded by contract: nothing of it may be polled from now on.
    private void closeInFlight() {
        queuePair.close();
        party.tally().add(Count.DISCARDED, sends.discard() + receives.discard());
        finish();
    }

    /** Tells whether nothing is left to do on its worker's thread. */
    boolean isEnded() {
        return stage == Stage.ENDED;
    }

    private boolean isDown() {
        Connection its = connection;
        if (!down && peerEnds && its != null) {
            down = its.awaitDisconnect(Deadline.now());
        }
        return down;
    }

    private boolean isOver(long sinceNanos) {
        return System.nanoTime() - Math.max(sinceNanos, upNanos)
                > party.config().boundNanos();
    }

    // All that is due has come, and the completion queue was drained once after that.
    private boolean tryFinish() {
        boolean complete = isDown() && !sends.awaits() && receives.waiting() == 0;
        if (complete && settledAt < 0) {
            settledAt = worker.drains();
        }
        if (complete && worker.drains() > settledAt) {
            finish();
            return true;
        }
        long since = Math.max(endNanos, life == null ? 0 : life.killedNanos(endNanos));
        if (isOver(since)) {
            party.faults()
                    .report(
                            Faults.Kind.LATE,
                            "%s: %d sends and %d receives without completion %d ms after its end"
                                    .formatted(
                                            this,
                                            sends.waiting(),
                                            receives.waiting(),
                                            TimeUnit.NANOSECONDS.toMillis(
                                                    party.config().boundNanos())));
            finish();
            return true;
        }
        return false;
    }

    private void finish() {
        stage = Stage.ENDED;
        sends.finish();
        receives.finish();
        Tally tally = party.tally();
        tally.add(Count.TOLD, sends.told());
        tally.add(Count.IMPLIED, sends.implied());
        tally.add(Count.FLUSHED, sends.flushed() + receives.flushed());
        party.faults().report(Faults.Kind.LOST, sends.lost() + receives.lost(), this + ": completions never came");
        Life its = life;
        if (its != null && its.isKilled()) {
            its.ended(Math.max(upNanos, its.killedNanos(upNanos)));
        }
        worker.forget(this);
        party.inBackground(this + ": close", this::close);
    }

    // ---- on a thread for setting up -------------------------------------------------------------------------------

    private void close() {
        try {
            Connection its = connection;
            if (its != null) {
                its.close();
            }
            queuePair.close();
            buffer.close();
        } finally {
            party.closed(outgoing);
        }
    }

    @Override
    public String toString() {
        return "line " + serial + " (" + queuePair + (shared ? ", shared receives" : "") + ")";
    }
}
