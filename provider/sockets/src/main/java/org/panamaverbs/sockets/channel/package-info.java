/**
 * The channels: {@code SocketChannel} and {@code ServerSocketChannel} with all that their contracts say, and their
 * adaptors. Known to the selector and to who opens them.
 */
@NullMarked
package org.panamaverbs.sockets.channel;

import org.jspecify.annotations.NullMarked;
