/**
 * What queue pairs and devices have counted, as values: read by {@code QueuePair.statistics()} and
 * {@code Verbs.statistics()}, recorded by Flight Recorder, shown by {@code verbs top}. It knows nothing of ours.
 */
@NullMarked
package org.panamaverbs.api.statistics;

import org.jspecify.annotations.NullMarked;
