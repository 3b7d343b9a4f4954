/**
 * A queue pair that is connected over a socket, without connection manager: docs/guide/examples/out-of-band.md explains
 * it.
 */
@NullMarked
package org.panamaverbs.examples.outofband;

import org.jspecify.annotations.NullMarked;
