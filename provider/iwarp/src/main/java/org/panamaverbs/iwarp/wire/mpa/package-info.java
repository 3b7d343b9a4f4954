/**
 * The bytes of MPA (RFC 5044, RFC 6581): the frames that set a connection up, and FPDUs with their markers and CRC,
 * which carry the segments of {@link org.panamaverbs.iwarp.wire} over TCP.
 */
@NullMarked
package org.panamaverbs.iwarp.wire.mpa;

import org.jspecify.annotations.NullMarked;
