package org.panamaverbs.spi.watch;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.flight.Flight;
import org.panamaverbs.spi.flight.Place;
import org.panamaverbs.spi.flight.QueuePairSampled;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * A provider's reports on one open device. Create it when the device is opened and close it with the device; in
 * between, the device appears in recordings and in {@code verbs top}. Only the constructor throws. Any thread may call
 * any method, under any lock.
 */
public final class DeviceWatch implements Sampled, AutoCloseable {
    // Asked whether it wants a line before that is made; written later.
    private static final System.Logger LOGGER = System.getLogger(DeviceWatch.class.getName());

    private final Place place;
    private final DeviceCounts counts = new DeviceCounts();
    private final Set<QueuePairWatch> queuePairs = ConcurrentHashMap.newKeySet();
    private final Set<PollCounts> queues = ConcurrentHashMap.newKeySet();

    /** Starts to watch {@code device} of {@code provider}. */
    public DeviceWatch(String provider, String device) {
        place = new Place(provider, device, 0, "");
        DeferredLog.prepare();
        Registry.add(this);
    }

    /** Returns a watch of {@code queuePair}, which is counted once it is passed to {@link #add}. */
    public QueuePairWatch queuePair(int number, QueuePair queuePair) {
        return new QueuePairWatch(counts, place, number, queuePair);
    }

    /** Counts a queue pair from now on. */
    public void add(QueuePairWatch made) {
        queuePairs.add(made);
    }

    /** Returns the poll counts of a new completion queue. */
    public PollCounts completionQueue() {
        PollCounts made = new PollCounts();
        queues.add(made);
        return made;
    }

    /** Adds the poll counts of a closed completion queue to the sums. */
    public void remove(PollCounts closed) {
        if (queues.remove(closed)) {
            counts.closed.add(closed);
        }
    }

    /** Adds the counts of a closed queue pair to the sums; its connection is down. */
    public void remove(QueuePairWatch closed) {
        try {
            closed.ended();
            if (queuePairs.remove(closed)) {
                QueuePairStatistics last = closed.statistics();
                if (last != null) {
                    counts.closed.add(last);
                }
            }
        } catch (RuntimeException | Error e) {
            // Its last numbers are missing.
            queuePairs.remove(closed);
        }
    }

    /** Reports that {@code bytes} of memory were registered in {@code domain}, with a mask of {@link Access#bit}. */
    public void registered(String domain, long bytes, int rights) {
        try {
            counts.increment(Counter.REGISTRATIONS);
            counts.add(Counter.REGISTERED_BYTES, bytes);
            Flight.registration(place, domain, bytes, rights, "");
        } catch (RuntimeException | Error e) {
            // They are registered all the same.
        }
    }

    /** Reports a failed registration, and adds this device to the message of {@code failure}, which is to be thrown. */
    public void notRegistered(String domain, long bytes, int rights, VerbsException failure) {
        try {
            if (!String.valueOf(failure.getMessage()).contains(place.toString())) {
                failure.at(place.toString());
            }
            String text = String.valueOf(failure.getMessage());
            Flight.registration(place, domain, bytes, rights, text);
            if (LOGGER.isLoggable(Level.DEBUG)) {
                DeferredLog.log(DeviceWatch.class, Level.DEBUG, domain + " of " + place + ": " + text);
            }
        } catch (RuntimeException | Error e) {
            // It is thrown all the same.
        }
    }

    /** Reports that a registration was closed. */
    public void deregistered(String domain, long bytes) {
        try {
            counts.add(Counter.REGISTRATIONS, -1);
            counts.add(Counter.REGISTERED_BYTES, -bytes);
            Flight.deregistration(place, domain, bytes);
        } catch (RuntimeException | Error e) {
            // It is closed all the same.
        }
    }

    // What a queue pair that was closed or does not count can tell is nothing.
    private Place placeOf(Object source) {
        if (source instanceof QueuePair its) {
            try {
                QueuePairStatistics now = its.statistics();
                return place.of(now.number(), now.peer());
            } catch (RuntimeException e) {
                return place;
            }
        }
        return place;
    }

    /** Reports that {@code event} was raised. */
    public void raised(AsyncEvent event) {
        try {
            counts.increment(Counter.ASYNC_EVENTS);
            Flight.asyncEvent(placeOf(event.source()), event.type().name(), event.detail());
            if (event.type() == AsyncEvent.Type.CQ_ERROR) {
                counts.increment(Counter.OVERRUNS);
                Flight.overrun(place, event.source().toString(), event.detail());
                DeferredLog.log(DeviceWatch.class, Level.WARNING, place + ": " + event.detail());
            } else if (LOGGER.isLoggable(Level.DEBUG)) {
                DeferredLog.log(DeviceWatch.class, Level.DEBUG, place + ": " + event.type() + ", " + event.detail());
            }
        } catch (RuntimeException | Error e) {
            // Who waits for events hears of it all the same.
        }
    }

    /**
     * Reports that {@code peer} asked to connect and got no queue pair because of {@code failure}. A refused peer is
     * logged at INFO, rate-limited like failed connections; one that left by itself ({@link Reason#RESET}) at DEBUG.
     */
    public void notAccepted(InetSocketAddress peer, Throwable failure, long tookNanos) {
        try {
            counts.increment(Counter.CONNECTIONS_FAILED);
            Place its = place.of(0, PeerText.of(peer));
            Flight.notEstablished(its, "accept", failure.toString(), tookNanos);
            String why = failure instanceof VerbsException ? failure.getMessage() : failure.toString();
            boolean left = failure instanceof ConnectionException end && end.reason() == Reason.RESET;
            if (left && LOGGER.isLoggable(Level.DEBUG)) {
                // As each probe of a port does.
                DeferredLog.log(DeviceWatch.class, Level.DEBUG, its + " left in set-up: " + why);
            } else if (!left && LOGGER.isLoggable(Level.INFO)) {
                // A peer decides how often this happens.
                counts.refusalLines.log(LOGGER, DeviceWatch.class, () -> its + " was refused: " + why);
            }
        } catch (RuntimeException | Error e) {
            // It has been counted.
        }
    }

    /** Reports that a pass of the event loop took {@code tookNanos}, longer than 10 ms. */
    public void slowPass(long tookNanos) {
        try {
            counts.increment(Counter.SLOW_PASSES);
            Flight.slowPass(place, tookNanos);
        } catch (RuntimeException | Error e) {
            // The next one is told.
        }
    }

    /** Returns the counts, for {@code Verbs.statistics}. */
    @Override
    public DeviceStatistics statistics() {
        List<QueuePairStatistics> all = new ArrayList<>();
        for (QueuePairSampled each : queuePairs()) {
            all.add(each.statistics());
        }
        return counts.statistics(place.provider(), place.device(), all, queues);
    }

    @SuppressWarnings("exports") // what samples it is this module's alone
    @Override
    public List<QueuePairSampled> queuePairs() {
        List<QueuePairSampled> all = new ArrayList<>();
        for (Iterator<QueuePairWatch> at = queuePairs.iterator(); at.hasNext(); ) {
            QueuePairWatch each = at.next();
            QueuePairStatistics sample = each.statistics();
            if (sample == null) {
                at.remove();
            } else {
                all.add(new QueuePairSampled(each.place(), sample));
            }
        }
        return all;
    }

    /** Ends the watch; samples no longer include the device. */
    @Override
    public void close() {
        Registry.remove(this);
    }
}
