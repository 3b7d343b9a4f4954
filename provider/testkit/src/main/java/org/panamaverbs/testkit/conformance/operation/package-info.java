/** Sends, Writes, Reads and atomics: what each brings where, alone and in batches. */
@NullMarked
package org.panamaverbs.testkit.conformance.operation;

import org.jspecify.annotations.NullMarked;
