/**
 * What the two ends of a line send each other: what they say in the private data, how their buffers are divided, the
 * operations with their bytes and results. It knows the ledger; lines use it.
 */
@NullMarked
package org.panamaverbs.testkit.soak.traffic;

import org.jspecify.annotations.NullMarked;
