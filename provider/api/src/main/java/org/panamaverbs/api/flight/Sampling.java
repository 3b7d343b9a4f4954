package org.panamaverbs.api.flight;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.panamaverbs.api.statistics.DeviceStatistics;
import org.panamaverbs.api.statistics.QueuePairStatistics;

/**
 * The periodic events. They are asked for only once the recorder has begun, since asking begins it. It is loaded only
 * where Flight Recorder is there.
 */
final class Sampling {
    private Sampling() {}

    /** Has {@code samples} asked from the first recording on. */
    static void begin(Samples samples) {
        if (FlightRecorder.isInitialized()) {
            hook(samples);
            return;
        }
        FlightRecorder.addListener(new FlightRecorderListener() {
            @Override
            public void recorderInitialized(FlightRecorder recorder) {
                hook(samples);
            }
        });
    }

    private static void hook(Samples samples) {
        FlightRecorder.addPeriodicEvent(
                QueuePairSample.class, () -> samples.queuePairs().forEach(Sampling::commit));
        FlightRecorder.addPeriodicEvent(
                DeviceSample.class, () -> samples.devices().forEach(Sampling::commit));
    }

    private static void commit(QueuePairSampled sampled) {
        QueuePairSample event = new QueuePairSample();
        if (event.shouldCommit()) {
            QueuePairStatistics s = sampled.statistics();
            event.at(sampled.place());
            event.state = s.state();
            event.carrier = s.carrier();
            event.transport = s.transport();
            event.sendsPosted = s.sendsPosted();
            event.sendsCompleted = s.sendsCompleted();
            event.sendsFlushed = s.sendsFlushed();
            event.sendCapacity = s.sendCapacity();
            event.receivesPosted = s.receivesPosted();
            event.receivesCompleted = s.receivesCompleted();
            event.receivesFlushed = s.receivesFlushed();
            event.receiveCapacity = s.receiveCapacity();
            event.readsOutstanding = s.readsOutstanding();
            event.readLimit = s.readLimit();
            event.octetsSent = s.octetsSent();
            event.octetsReceived = s.octetsReceived();
            event.writes = s.writes();
            event.reads = s.reads();
            event.sendsDirect = s.sendsDirect();
            event.commit();
        }
    }

    private static void commit(DeviceStatistics s) {
        DeviceSample event = new DeviceSample();
        if (event.shouldCommit()) {
            event.at(new Place(s.provider(), s.device(), 0, ""));
            event.queuePairs = s.queuePairs();
            event.connections = s.connections();
            event.sharedConnections = s.sharedConnections();
            event.connectionsMade = s.connectionsMade();
            event.connectionsFailed = s.connectionsFailed();
            event.setupRetries = s.setupRetries();
            event.failures = s.failures();
            event.terminatesSent = s.terminatesSent();
            event.terminatesReceived = s.terminatesReceived();
            event.stalls = s.stalls();
            event.overruns = s.overruns();
            event.asyncEvents = s.asyncEvents();
            event.registrations = s.registrations();
            event.registeredBytes = s.registeredBytes();
            event.slowPasses = s.slowPasses();
            event.sendsPosted = s.sendsPosted();
            event.sendsCompleted = s.sendsCompleted();
            event.receivesPosted = s.receivesPosted();
            event.receivesCompleted = s.receivesCompleted();
            event.flushed = s.flushed();
            event.octetsSent = s.octetsSent();
            event.octetsReceived = s.octetsReceived();
            event.writes = s.writes();
            event.reads = s.reads();
            event.sendsDirect = s.sendsDirect();
            event.polls = s.polls();
            event.emptyPolls = s.emptyPolls();
            event.commit();
        }
    }
}
