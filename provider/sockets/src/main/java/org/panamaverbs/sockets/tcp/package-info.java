/**
 * What channels over RDMA have in common with those over TCP, and which of the two a channel becomes: options, families
 * of addresses, what is remembered of peers. Known to the channels, and to what opens them.
 */
@NullMarked
package org.panamaverbs.sockets.tcp;

import org.jspecify.annotations.NullMarked;
