/**
 * What two processes of one host need beside TCP, by system calls of Linux: sealed memory files, the Unix sockets that
 * they go through and whose bytes wake the other side, credentials, and locks that tell who listens.
 */
@NullMarked
package org.panamaverbs.iwarp.net.unix;

import org.jspecify.annotations.NullMarked;
