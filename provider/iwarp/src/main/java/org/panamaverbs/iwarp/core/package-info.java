/**
 * The iWARP protocol without input or output: octets, commands and the time go in; gather lists, placement targets,
 * completions and deadlines come out. Nothing here opens a socket, starts a thread, reads a clock or takes a lock; who
 * drives a stream serialises its calls.
 *
 * <p>{@link org.panamaverbs.iwarp.core.setup.MpaStartup} sets a connection up (RFC 5044 §7.1, RFC 6581),
 * {@link org.panamaverbs.iwarp.core.Stream} is one RDMAP stream from then on (RFC 5040, RFC 5041, RFC 7306): work
 * requests wait in the send and receive rings, a sender makes FPDUs of the ones, a receiver judges each segment before
 * it is placed by the others, and a lifecycle has states, deadlines and the end. Peer octets never throw: they end in a
 * {@link org.panamaverbs.iwarp.core.Fault}, a Terminate and flushed work requests.
 */
@NullMarked
package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.NullMarked;
