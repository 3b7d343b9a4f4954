/** Peers for datagrams by the connection manager, and multicast groups. */
@NullMarked
package org.panamaverbs.ibverbs.datagram;

import org.jspecify.annotations.NullMarked;
