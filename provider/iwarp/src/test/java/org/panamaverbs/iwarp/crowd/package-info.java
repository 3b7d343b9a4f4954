/** Thousands of connections, each side of which is one thread with an event queue. */
@NullMarked
package org.panamaverbs.iwarp.crowd;

import org.jspecify.annotations.NullMarked;
