/**
 * What carries the bytes of a connection: its interface, TCP, TLS over it, memory shared with peers of this host, which
 * of them a connection gets, and what their failures mean.
 */
@NullMarked
package org.panamaverbs.iwarp.engine.transport;

import org.jspecify.annotations.NullMarked;
