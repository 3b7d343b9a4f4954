/**
 * Two rings of octets in memory that two processes share, one for each direction: what a stream of one host runs
 * through. Layout, writer, reader, and who sleeps and who wakes. It knows no system calls, threads or clocks, and
 * trusts nothing that the peer has written. For the engine's transports.
 */
@NullMarked
package org.panamaverbs.iwarp.ring;

import org.jspecify.annotations.NullMarked;
