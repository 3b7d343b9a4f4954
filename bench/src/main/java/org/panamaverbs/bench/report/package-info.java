/** Runs the benchmarks, and makes a page of their figures. */
@NullMarked
package org.panamaverbs.bench.report;

import org.jspecify.annotations.NullMarked;
