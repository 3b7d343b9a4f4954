/**
 * What two processes of one host share. Rings of bytes that a stream runs through: layout, writer, reader, and who
 * sleeps and who wakes. And direct access, one side's processor in the other's memory: what of a domain's memory peers
 * may reach, how that is taken away, and where this side finds theirs. Nothing that the peer has written is trusted.
 */
@NullMarked
package org.panamaverbs.iwarp.shm;

import org.jspecify.annotations.NullMarked;
