package org.panamaverbs.api.watch;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.flight.Flight;
import org.panamaverbs.api.flight.Place;
import org.panamaverbs.api.iwarp.TerminateCause;
import org.panamaverbs.api.iwarp.TerminateReason;
import org.panamaverbs.api.statistics.Counter;
import org.panamaverbs.api.statistics.QueuePairStatistics;
import org.panamaverbs.api.support.DeferredLog;

/**
 * What a provider tells of one queue pair: how its connection was set up and why not, what it failed of, how it ended.
 * Each becomes an event of Flight Recorder, a line of the log and a number of the device. It does not keep the queue
 * pair. No method throws but those that say so; all may be called under any lock. Any thread.
 */
public final class QueuePairWatch {
    /** Who ended a connection. */
    public enum EndedBy {
        /** The application or the provider of this side. */
        THIS_SIDE,
        /** The peer. */
        PEER,
        /** Neither asked for it: what carried it was lost, or the peer has stopped. */
        CONNECTION
    }

    // Asked whether it wants a line before that is made; written later.
    private static final System.Logger LOGGER = System.getLogger(QueuePairWatch.class.getName());

    private final DeviceCounts counts;
    private final WeakReference<QueuePair> queuePair;
    private final Place device;
    private final int number;
    // Kept as it is: its text is made when it is wanted.
    private volatile @Nullable InetSocketAddress peer;
    private volatile String transport = "";
    private volatile @Nullable Carrier carrier;
    // When it was connected; guarded by this, as the rest.
    private long beganNanos;
    private boolean connected;
    private @Nullable String failure;
    private @Nullable EndedBy failedBy;
    // Whether this side has asked for the end; taken back only by the next set-up.
    private volatile boolean endsHere;

    QueuePairWatch(DeviceCounts counts, Place device, int number, QueuePair queuePair) {
        this.counts = counts;
        this.queuePair = new WeakReference<>(queuePair);
        this.device = device;
        this.number = number;
    }

    /** Returns where it is in words, for messages: {@code queue pair 3 of device iwarp0, peer 10.0.0.2:4791}. */
    public String where() {
        return place().toString();
    }

    /** Returns address and port of the peer, empty before there is one. */
    public String peer() {
        return place().peer();
    }

    /** Returns what was negotiated and what carries it, in words, empty before there is a connection. */
    public String transport() {
        return transport;
    }

    /** Returns what carries the connection, by its name in {@link Carrier}; empty before there is one. */
    public String carrier() {
        Carrier its = carrier;
        return its == null ? "" : its.name();
    }

    Place place() {
        InetSocketAddress its = peer;
        return device.of(number, its == null ? "" : PeerText.of(its));
    }

    /** Returns the queue pair, null if the application has lost it. */
    public @Nullable QueuePair queuePair() {
        return queuePair.get();
    }

    /** Returns what it has counted as of now, null if the application has lost it. */
    @Nullable
    QueuePairStatistics statistics() {
        QueuePair its = queuePair.get();
        return its == null ? null : its.statistics();
    }

    /** Hears that a set-up with {@code address} begins; it is named from now on, and what was before is forgotten. */
    public void begins(InetSocketAddress address) {
        peer = address;
        synchronized (this) {
            failure = null;
            failedBy = null;
            endsHere = false;
        }
    }

    /**
     * Hears that what {@link #begins} told of is connected; set-up began at {@code since}, of
     * {@link System#nanoTime()}. What failed meanwhile is still known.
     */
    public void connected(ConnectionFacts facts, long since) {
        try {
            peer = facts.remote();
            long now = System.nanoTime();
            synchronized (this) {
                connected = true;
                beganNanos = now;
            }
            // All connections of a process have a few texts among them.
            transport = facts.transport().intern();
            carrier = facts.carrier();
            counts.increment(Counter.CONNECTIONS_MADE);
            Flight.established(
                    place(),
                    facts.operation(),
                    PeerText.of(facts.local()),
                    facts.carrier().name(),
                    facts.transport(),
                    facts.responderResources(),
                    facts.initiatorDepth(),
                    now - since);
            if (LOGGER.isLoggable(Level.DEBUG)) {
                DeferredLog.log(QueuePairWatch.class, Level.DEBUG, place() + " is connected: " + facts.transport());
            }
        } catch (RuntimeException | Error e) {
            // There is a connection all the same.
        }
    }

    /**
     * Hears that {@code operation} failed, which began at {@code since}; {@code failure} is to be thrown, and names
     * this queue pair from now on.
     */
    public void notConnected(String operation, Throwable failure, long since) {
        try {
            if (failure instanceof VerbsException named) {
                named.at(where());
            }
            String text = failure instanceof VerbsException ? String.valueOf(failure.getMessage()) : failure.toString();
            counts.increment(Counter.CONNECTIONS_FAILED);
            Flight.notEstablished(place(), operation, text, System.nanoTime() - since);
            if (LOGGER.isLoggable(Level.DEBUG)) {
                DeferredLog.log(QueuePairWatch.class, Level.DEBUG, place() + " was not connected: " + text);
            }
        } catch (RuntimeException | Error e) {
            // It is thrown all the same.
        }
    }

    /** Names this queue pair in {@code failure}, and returns it. */
    public <T extends VerbsException> T named(T failure) {
        failure.at(where());
        return failure;
    }

    /** Hears that it failed on iWARP, whose {@code cause} says who found it and whether there is a Terminate. */
    public void failed(TerminateCause cause) {
        try {
            boolean received = cause.origin() == TerminateCause.Origin.REMOTE;
            boolean lost = isLoss(cause);
            if (received || !lost) {
                counts.increment(received ? Counter.TERMINATES_RECEIVED : Counter.TERMINATES_SENT);
                Flight.terminate(
                        place(),
                        !received,
                        cause.layer(),
                        cause.errorType(),
                        cause.errorCode(),
                        cause.text(),
                        cause.remedy());
            }
            if (cause.reason() == TerminateReason.PEER_SILENT || cause.reason() == TerminateReason.NO_FIRST_FPDU) {
                counts.increment(Counter.STALLS);
                Flight.stall(place(), cause.detail().isEmpty() ? cause.text() : cause.detail());
            }
            failed(cause.toString(), received ? EndedBy.PEER : endedBy(cause.reason()));
        } catch (RuntimeException | Error e) {
            // It has failed all the same.
        }
    }

    // RFC 5044 §8: a connection that is lost is an error of the LLP that the peer cannot be told of.
    private static boolean isLoss(TerminateCause cause) {
        return cause.layer() == 2 && cause.errorType() == 0 && cause.errorCode() == 1;
    }

    private static EndedBy endedBy(TerminateReason reason) {
        return switch (reason) {
            case PEER_CLOSED, PEER_RESET -> EndedBy.PEER;
            case PEER_SILENT, NO_FIRST_FPDU, MPA_CONNECTION_LOST -> EndedBy.CONNECTION;
            default -> EndedBy.THIS_SIDE;
        };
    }

    /** Hears that it failed; {@code cause} says why and what to do. Only the first failure of a connection counts. */
    public void failed(String cause, EndedBy by) {
        try {
            synchronized (this) {
                if (failure != null) {
                    return;
                }
                failure = cause;
                failedBy = by;
            }
            counts.increment(Counter.FAILURES);
            logFailure(cause);
        } catch (RuntimeException | Error e) {
            // It has failed all the same.
        }
    }

    // A peer decides how often this happens.
    private void logFailure(String cause) {
        if (LOGGER.isLoggable(Level.INFO)) {
            counts.failureLines.log(LOGGER, QueuePairWatch.class, () -> place() + " failed: " + cause);
        }
    }

    /** Hears that the set-up goes on by another way than the first, since {@code why}. */
    public void retried(String why) {
        try {
            counts.increment(Counter.SETUP_RETRIES);
            Flight.setupRetry(place(), why);
        } catch (RuntimeException | Error e) {
            // It goes on all the same.
        }
    }

    /** Hears that this side ends the connection; nothing comes of it unless that is {@code up}. */
    public void endsHere(boolean up) {
        if (up) {
            endsHere = true;
        }
    }

    /** Hears that the connection is down; only the first time counts. */
    public void ended() {
        try {
            EndedBy by;
            String cause;
            long lived;
            synchronized (this) {
                if (!connected) {
                    return;
                }
                connected = false;
                lived = System.nanoTime() - beganNanos;
                EndedBy other = endsHere ? EndedBy.THIS_SIDE : EndedBy.PEER;
                by = failedBy == null ? other : failedBy;
                cause = failure == null ? "" : failure;
            }
            tellEnd(by, cause, lived);
        } catch (RuntimeException | Error e) {
            // It is down all the same.
        }
    }

    private void tellEnd(EndedBy by, String cause, long lived) {
        QueuePairStatistics last = statistics();
        if (last != null && last.sendsFlushed() + last.receivesFlushed() > 0) {
            Flight.flushed(place(), last.sendsFlushed(), last.receivesFlushed());
        }
        Flight.ended(place(), by.name(), cause, lived);
        if (LOGGER.isLoggable(Level.DEBUG)) {
            String text = cause.isEmpty() ? " closed by " : " ended by ";
            DeferredLog.log(QueuePairWatch.class, Level.DEBUG, place() + text + by);
        }
    }
}
