/**
 * Panama Verbs beside a floor in C and what others offer, on the loopback, in rounds; {@code bench/compare} starts it.
 */
@org.jspecify.annotations.NullMarked
package org.panamaverbs.bench.compare;
