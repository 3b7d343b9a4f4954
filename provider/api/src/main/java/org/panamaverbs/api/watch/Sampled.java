package org.panamaverbs.api.watch;

import java.util.List;
import org.panamaverbs.api.flight.QueuePairSampled;
import org.panamaverbs.api.statistics.DeviceStatistics;

/** A device that can be sampled. */
interface Sampled {
    /** Returns what the device has counted as of now. */
    DeviceStatistics statistics();

    /** Returns its queue pairs, each with what it has counted as of now. */
    List<QueuePairSampled> queuePairs();
}
