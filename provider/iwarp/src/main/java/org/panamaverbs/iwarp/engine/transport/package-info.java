/** What carries the octets of a connection: TCP, or TLS over it, and what their failures mean. */
@NullMarked
package org.panamaverbs.iwarp.engine.transport;

import org.jspecify.annotations.NullMarked;
