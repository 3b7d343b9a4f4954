/**
 * Completion queues, channels and shared receive queues: capacity, events, who makes progress, and that nothing is
 * allocated.
 */
@NullMarked
package org.panamaverbs.testkit.conformance.queue;

import org.jspecify.annotations.NullMarked;
