/**
 * Queue pairs that are connected without a connection manager, as programs on InfiniBand and RoCE do it over a socket
 * of their own: what is exchanged, how it looks on the stream, and the steps from INIT to RTS. It imports the verbs and
 * is imported by applications alone.
 */
@NullMarked
package org.panamaverbs.api.outofband;

import org.jspecify.annotations.NullMarked;
