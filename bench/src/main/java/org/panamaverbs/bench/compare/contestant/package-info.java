/**
 * Who takes part in the comparison and what is asked: the questions, the programs that answer them, and how these are
 * run.
 */
@NullMarked
package org.panamaverbs.bench.compare.contestant;

import org.jspecify.annotations.NullMarked;
