/**
 * Raw Ethernet: rules that select the packets a queue pair receives ({@link org.panamaverbs.api.ethernet.FlowRule}),
 * their counters, and rate limits for sending. {@link org.panamaverbs.api.QueuePair} takes them.
 */
@NullMarked
package org.panamaverbs.api.ethernet;

import org.jspecify.annotations.NullMarked;
