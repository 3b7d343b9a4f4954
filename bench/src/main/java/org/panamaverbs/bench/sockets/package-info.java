/**
 * The sockets of java.nio over provider iwarp beside the JDK's, with Netty and without, each side a process of its own.
 */
@NullMarked
package org.panamaverbs.bench.sockets;

import org.jspecify.annotations.NullMarked;
