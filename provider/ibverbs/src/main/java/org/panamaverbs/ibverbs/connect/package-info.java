/** Connections: connecting, listening and accepting, and their ends. */
@NullMarked
package org.panamaverbs.ibverbs.connect;

import org.jspecify.annotations.NullMarked;
