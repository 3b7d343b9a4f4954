/**
 * A queue pair that is connected over a socket, without connection manager: docs/guide/examples/by-hand.md explains it.
 */
@NullMarked
package org.panamaverbs.examples.byhand;

import org.jspecify.annotations.NullMarked;
