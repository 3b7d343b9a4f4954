/**
 * Counters of queue pairs and devices, as values: returned by {@code QueuePair.statistics()} and
 * {@code Verbs.statistics()}, recorded by Flight Recorder, shown by {@code verbs top}. Imports no other package of the
 * project.
 */
@NullMarked
package org.panamaverbs.api.statistics;

import org.jspecify.annotations.NullMarked;
