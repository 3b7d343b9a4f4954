/**
 * What a test measures of its own process: the heap that a thread allocates, direct buffers, time of processors. It
 * knows nothing of verbs; all tests may know it.
 */
@NullMarked
package org.panamaverbs.testkit.process;

import org.jspecify.annotations.NullMarked;
