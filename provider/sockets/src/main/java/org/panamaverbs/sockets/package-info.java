/**
 * Sockets of {@code java.nio} over RDMA, by the protocol of rdma-core's rsockets: how they are opened, and the selector
 * provider that has unmodified programs use them.
 */
@NullMarked
package org.panamaverbs.sockets;

import org.jspecify.annotations.NullMarked;
