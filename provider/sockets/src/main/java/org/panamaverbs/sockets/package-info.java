/**
 * Sockets of {@code java.nio} over RDMA, with the protocol of rdma-core's rsockets:
 * {@link org.panamaverbs.sockets.RdmaSockets} opens them, {@link org.panamaverbs.sockets.RdmaSelectorProvider} gives
 * them to unmodified programs.
 */
@NullMarked
package org.panamaverbs.sockets;

import org.jspecify.annotations.NullMarked;
