package org.panamaverbs.api.watch;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.api.flight.Flight;
import org.panamaverbs.api.flight.QueuePairSampled;
import org.panamaverbs.api.flight.Samples;
import org.panamaverbs.api.statistics.DeviceStatistics;

/** The open devices of this process, sampled when a recording asks for statistics. Any thread. */
final class Registry {
    private static final Set<Sampled> DEVICES = ConcurrentHashMap.newKeySet();

    static {
        Flight.prepare();
        Flight.sampleBy(new All());
    }

    private Registry() {}

    /** What all of them have. */
    private static final class All implements Samples {
        @Override
        public List<QueuePairSampled> queuePairs() {
            return DEVICES.stream().flatMap(each -> each.queuePairs().stream()).toList();
        }

        @Override
        public List<DeviceStatistics> devices() {
            return DEVICES.stream().map(Sampled::statistics).toList();
        }
    }

    static void add(Sampled device) {
        DEVICES.add(device);
    }

    static void remove(Sampled device) {
        DEVICES.remove(device);
    }
}
