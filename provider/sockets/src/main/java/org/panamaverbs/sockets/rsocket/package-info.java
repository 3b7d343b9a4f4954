/**
 * The protocol of rdma-core's rsockets without sockets, threads, locks or clocks: its connection data, messages, target
 * entries, credits and ends. Known to the stream alone.
 */
@NullMarked
package org.panamaverbs.sockets.rsocket;

import org.jspecify.annotations.NullMarked;
