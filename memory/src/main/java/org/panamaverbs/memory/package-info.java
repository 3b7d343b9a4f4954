/** Registered memory: segments, steering tags, tagged offsets, remote buffers and atomic targets. */
@NullMarked
package org.panamaverbs.memory;

import org.jspecify.annotations.NullMarked;
