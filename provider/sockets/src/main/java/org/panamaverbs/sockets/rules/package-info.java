/**
 * Rules that decide by address whether sockets use RDMA or plain TCP. Knows nothing of sockets; used by the channels,
 * and by tools that show the rules.
 */
@NullMarked
package org.panamaverbs.sockets.rules;

import org.jspecify.annotations.NullMarked;
