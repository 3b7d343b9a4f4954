/**
 * Ethernet below RDMA: which packets a raw queue pair receives, and how fast it may send. Values, and the handles of a
 * rule that is in force and of counters; {@link org.panamaverbs.api.QueuePair} takes and makes them. Knows no other
 * package of the api.
 */
@NullMarked
package org.panamaverbs.api.ethernet;

import org.jspecify.annotations.NullMarked;
