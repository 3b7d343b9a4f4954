/**
 * Recovery after the path of a queue pair has failed: the fate of its requests
 * ({@link org.panamaverbs.api.recovery.OutstandingSends}), and alternative routes to the peer
 * ({@link org.panamaverbs.api.recovery.Ways}). The guide's page {@code recovery} has the pattern.
 */
@NullMarked
package org.panamaverbs.api.recovery;

import org.jspecify.annotations.NullMarked;
