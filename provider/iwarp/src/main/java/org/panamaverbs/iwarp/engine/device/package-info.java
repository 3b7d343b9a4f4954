/**
 * What an open device owns and its objects share: the event loop with its timers, wait points, locks, options, events,
 * quotas, and what the device is. It knows none of the objects.
 */
@NullMarked
package org.panamaverbs.iwarp.engine.device;

import org.jspecify.annotations.NullMarked;
