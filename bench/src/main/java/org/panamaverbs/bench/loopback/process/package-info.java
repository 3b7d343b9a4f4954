/** Both sides of what is measured as processes, each on a processor of its own. */
@NullMarked
package org.panamaverbs.bench.loopback.process;

import org.jspecify.annotations.NullMarked;
