package org.panamaverbs.spi.watch;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.spi.flight.Flight;
import org.panamaverbs.spi.flight.QueuePairSampled;
import org.panamaverbs.spi.flight.Samples;
import org.panamaverbs.spi.support.DeferredLog;

/** The open devices of this process, sampled when a recording asks for statistics. Any thread. */
final class Registry {
    private static final Set<Sampled> DEVICES = ConcurrentHashMap.newKeySet();
    // What ends the sampling; null while no device is open: Flight Recorder is not to keep who has closed all of them.
    private static @Nullable Runnable sampling;

    private Registry() {}

    private static void notWatched(Throwable why) {
        DeferredLog.log(Registry.class, Level.WARNING, "devices are not recorded by Flight Recorder", why);
    }

    /** What all of them have. */
    private static final class All implements Samples {
        @Override
        public List<QueuePairSampled> queuePairs() {
            return DEVICES.stream().flatMap(each -> each.queuePairs().stream()).toList();
        }

        @Override
        public void failed(Throwable why) {
            notWatched(why);
        }

        @Override
        public List<DeviceStatistics> devices() {
            return DEVICES.stream().map(Sampled::statistics).toList();
        }
    }

    static void add(Sampled device) {
        synchronized (DEVICES) {
            DEVICES.add(device);
            try {
                if (sampling == null) {
                    sampling = Flight.sampleBy(new All());
                }
            } catch (RuntimeException | Error e) {
                notWatched(e);
            }
        }
    }

    static void remove(Sampled device) {
        synchronized (DEVICES) {
            DEVICES.remove(device);
            Runnable end = sampling;
            if (DEVICES.isEmpty() && end != null) {
                sampling = null;
                end.run();
            }
        }
    }
}
