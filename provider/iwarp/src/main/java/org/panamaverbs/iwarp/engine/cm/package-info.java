/**
 * The connection manager: connecting and accepting, from the socket to a stream that is established, and back to its
 * end.
 */
@NullMarked
package org.panamaverbs.iwarp.engine.cm;

import org.jspecify.annotations.NullMarked;
