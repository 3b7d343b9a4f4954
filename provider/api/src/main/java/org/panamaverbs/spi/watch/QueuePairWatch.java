package org.panamaverbs.spi.watch;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.spi.flight.Flight;
import org.panamaverbs.spi.flight.Place;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * A provider's reports on one queue pair: connection setup, failure and end. Each becomes an event of Flight Recorder,
 * a line of the log and a count of the device. It does not keep the queue pair reachable. Only methods that say so
 * throw. Any thread may call any method, under any lock.
 */
public final class QueuePairWatch {
    /** The side that ended a connection. */
    public enum EndedBy {
        /** The application or the provider of this side. */
        THIS_SIDE,
        /** The peer. */
        PEER,
        /** Neither side: the carrier was lost, or the peer has stopped. */
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

    /** Returns the place for messages: {@code queue pair 3 of device iwarp0, peer 10.0.0.2:4791}. */
    public String where() {
        return place().toString();
    }

    /** Returns address and port of the peer, empty before a setup begins. */
    public String peer() {
        return place().peer();
    }

    /** Returns the negotiated options in words, empty before there is a connection. */
    public String transport() {
        return transport;
    }

    /** Returns the name of the {@link Carrier}, empty before there is a connection. */
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

    /**
     * Reports that a setup with {@code address} begins; messages name that peer from now on, and earlier failures are
     * dropped.
     */
    public void begins(InetSocketAddress address) {
        peer = address;
        synchronized (this) {
            failure = null;
            failedBy = null;
            endsHere = false;
        }
    }

    /**
     * Reports that the setup announced by {@link #begins} succeeded. A failure reported meanwhile is kept.
     *
     * @param facts the facts of the connection
     * @param since the start of the setup, {@link System#nanoTime()}
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
     * Reports that {@code operation} failed, and adds this queue pair to the message of {@code failure}, which is to be
     * thrown.
     *
     * @param since the start of the operation, {@link System#nanoTime()}
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

    /** Adds this queue pair to the message of {@code failure}, and returns it. */
    public <T extends VerbsException> T named(T failure) {
        failure.at(where());
        return failure;
    }

    /** Reports a failure on iWARP; {@code cause} says which side found it and whether there is a Terminate. */
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

    /** Reports a failure; {@code cause} has reason and remedy. Only the first failure of a connection counts. */
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

    /** Reports that the setup falls back to another transport because of {@code why}. */
    public void retried(String why) {
        try {
            counts.increment(Counter.SETUP_RETRIES);
            Flight.setupRetry(place(), why);
        } catch (RuntimeException | Error e) {
            // It goes on all the same.
        }
    }

    /** Reports that this side ends the connection; ignored unless the connection is {@code up}. */
    public void endsHere(boolean up) {
        if (up) {
            endsHere = true;
        }
    }

    /** Reports that the connection is down; only the first report counts. */
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
