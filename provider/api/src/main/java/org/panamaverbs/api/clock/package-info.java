/**
 * The clock of a device beside that of this host: its timestamps in nanoseconds of {@code System.nanoTime()}. Built on
 * the verbs, which know nothing of it.
 */
@NullMarked
package org.panamaverbs.api.clock;

import org.jspecify.annotations.NullMarked;
