/**
 * One RDMAP stream from its first octet to its end (RFC 5040, RFC 5041, RFC 7306): it puts sending and receiving
 * together, and owns the life of the connection with its deadlines.
 */
@NullMarked
package org.panamaverbs.iwarp.core.stream;

import org.jspecify.annotations.NullMarked;
