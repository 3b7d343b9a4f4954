/** {@code verbs sockets}: what the rules of sockets over RDMA say. */
@NullMarked
package org.panamaverbs.cli.sockets;

import org.jspecify.annotations.NullMarked;
