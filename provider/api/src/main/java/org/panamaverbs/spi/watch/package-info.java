/**
 * A provider's reports to monitoring: one {@link org.panamaverbs.spi.watch.DeviceWatch} per open device, one
 * {@link org.panamaverbs.spi.watch.QueuePairWatch} per queue pair. They become events of Flight Recorder, log lines and
 * statistics, under the same names for every provider. Not called on the data path.
 */
@NullMarked
package org.panamaverbs.spi.watch;

import org.jspecify.annotations.NullMarked;
