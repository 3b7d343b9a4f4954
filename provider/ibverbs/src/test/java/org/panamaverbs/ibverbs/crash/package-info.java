/**
 * Ways to misuse the API that must end in an exception or a completion and never in a crash: closing in the wrong
 * order, twice, or under another thread, wrong arguments, and peers that die. Each runs in a process of its own, so
 * that a crash is seen; {@code provider/lab/crash-cases} runs them all.
 */
@NullMarked
package org.panamaverbs.ibverbs.crash;

import org.jspecify.annotations.NullMarked;
