/** Message channels beside the same verbs by hand and plain TCP, each side a process of its own. */
@NullMarked
package org.panamaverbs.bench.channels;

import org.jspecify.annotations.NullMarked;
