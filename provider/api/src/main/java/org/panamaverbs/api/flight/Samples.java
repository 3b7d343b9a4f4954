package org.panamaverbs.api.flight;

import java.util.List;
import org.panamaverbs.api.statistics.DeviceStatistics;

/** The source of samples. */
public interface Samples {
    /** Returns all open queue pairs. */
    List<QueuePairSampled> queuePairs();

    /** Returns all open devices. */
    List<DeviceStatistics> devices();

    /** Reports that nothing is sampled because of {@code why}. */
    void failed(Throwable why);
}
