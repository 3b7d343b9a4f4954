/**
 * The bytes of iWARP: MPA (RFC 5044, RFC 6581), DDP (RFC 5041) and RDMAP (RFC 5040, RFC 7306).
 *
 * <p>One class per header, over {@link java.lang.foreign.MemorySegment}, and nothing else: no sockets, no state
 * machines. Receiving takes two steps: wrap a reusable view around the bytes and ask it to check them once, then read
 * fields that can no longer fail. Emitting is a static method that trusts its caller. Whatever a peer sends is answered
 * with a value - usually a {@link org.panamaverbs.iwarp.wire.TerminateCode} - and never with an exception.
 *
 * <p>Every multi-octet field is big-endian and may lie at any alignment, except the CRC, which RFC 5044 stores least
 * significant octet first. Accessors and emitters of the data path allocate nothing.
 */
@NullMarked
package org.panamaverbs.iwarp.wire;

import org.jspecify.annotations.NullMarked;
