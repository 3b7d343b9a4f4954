/**
 * How busy the compilers of the virtual machine are: what is measured while they work is not what runs afterwards. For
 * {@code perf.measure}, and for the benchmarks.
 */
@NullMarked
package org.panamaverbs.cli.perf.compiler;

import org.jspecify.annotations.NullMarked;
