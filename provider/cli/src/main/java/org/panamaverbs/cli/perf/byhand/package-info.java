/**
 * Measurements over queue pairs that are connected by hand, as perftest's without {@code -R}: what its tools tell each
 * other over TCP, and the loops that go with it, so that each side may be one of perftest's.
 */
@NullMarked
package org.panamaverbs.cli.perf.byhand;

import org.jspecify.annotations.NullMarked;
