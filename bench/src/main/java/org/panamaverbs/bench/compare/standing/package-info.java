/** What the comparison found: samples, where everybody stands beside the floor, and whether the targets are met. */
@NullMarked
package org.panamaverbs.bench.compare.standing;

import org.jspecify.annotations.NullMarked;
