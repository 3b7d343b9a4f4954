/** Ping-pongs and streams over Netty, Aeron and JUCX, to be compared with. */
@org.jspecify.annotations.NullMarked
package org.panamaverbs.bench.peers;
