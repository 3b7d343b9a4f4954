package org.panamaverbs.api.flight;

import java.util.List;
import org.panamaverbs.api.statistics.DeviceStatistics;

/** What there is to sample. */
public interface Samples {
    /** Returns all queue pairs that are open. */
    List<QueuePairSampled> queuePairs();

    /** Returns all devices that are open. */
    List<DeviceStatistics> devices();

    /** Hears that nothing is sampled because of {@code why}. */
    void failed(Throwable why);
}
