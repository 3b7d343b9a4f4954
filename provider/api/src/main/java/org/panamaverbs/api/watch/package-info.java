/**
 * What a provider tells those who watch it: one {@link org.panamaverbs.api.watch.DeviceWatch} for each open device, one
 * {@link org.panamaverbs.api.watch.QueuePairWatch} for each queue pair. They make events of Flight Recorder, lines of
 * the log and statistics of it, by the same names for every provider. Nothing of it is called on the data path.
 */
@NullMarked
package org.panamaverbs.api.watch;

import org.jspecify.annotations.NullMarked;
