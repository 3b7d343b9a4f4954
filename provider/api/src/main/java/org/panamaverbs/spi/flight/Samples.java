package org.panamaverbs.spi.flight;

import java.util.List;
import org.panamaverbs.api.device.DeviceStatistics;

/** The source of samples. */
public interface Samples {
    /** Returns all open queue pairs. */
    List<QueuePairSampled> queuePairs();

    /** Returns all open devices. */
    List<DeviceStatistics> devices();

    /** Reports that nothing is sampled because of {@code why}. */
    void failed(Throwable why);
}
