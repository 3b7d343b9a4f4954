/**
 * Conversion of device timestamps to nanoseconds of {@code System.nanoTime()}:
 * {@link org.panamaverbs.api.clock.TimestampConverter}.
 */
@NullMarked
package org.panamaverbs.api.clock;

import org.jspecify.annotations.NullMarked;
