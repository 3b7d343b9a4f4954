/** What peers of one host do within one process: connections that are set up, and what round trips allocate. */
@NullMarked
package org.panamaverbs.bench.loopback.host;

import org.jspecify.annotations.NullMarked;
