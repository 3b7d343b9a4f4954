/**
 * Non-blocking TCP sockets and what waits for them, in two forms: system calls through the FFM API on Linux, which
 * gather, receive into native memory without a wrapper, and allocate nothing; and NIO everywhere.
 */
@NullMarked
package org.panamaverbs.iwarp.net;

import org.jspecify.annotations.NullMarked;
