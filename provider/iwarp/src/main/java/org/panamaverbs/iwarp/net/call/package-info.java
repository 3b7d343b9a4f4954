/**
 * How sockets call the C library: handles with errno, memory that a call needs beside its arguments, the calls that
 * make and close sockets, and the exceptions for what fails. Known to the sockets by system calls, here and in
 * {@code unix}.
 */
@NullMarked
package org.panamaverbs.iwarp.net.call;

import org.jspecify.annotations.NullMarked;
