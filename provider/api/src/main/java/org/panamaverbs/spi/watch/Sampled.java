package org.panamaverbs.spi.watch;

import java.util.List;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.spi.flight.QueuePairSampled;

/** A device that can be sampled. */
interface Sampled {
    /** Returns what the device has counted as of now. */
    DeviceStatistics statistics();

    /** Returns its queue pairs, each with what it has counted as of now. */
    List<QueuePairSampled> queuePairs();
}
