/** Runs the benchmarks, and makes a page of their figures. */
@NullMarked
package org.panamaverbs.bench.suite;

import org.jspecify.annotations.NullMarked;
