/**
 * What the application has posted and what peers have asked for: the send queue and the receive queue, Reads and
 * Atomics under way in both directions, and their completions in order.
 */
@NullMarked
package org.panamaverbs.iwarp.core.work;

import org.jspecify.annotations.NullMarked;
