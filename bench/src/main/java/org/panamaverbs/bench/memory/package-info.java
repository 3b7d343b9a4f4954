/** What registered memory costs beside plain memory. */
@NullMarked
package org.panamaverbs.bench.memory;

import org.jspecify.annotations.NullMarked;
