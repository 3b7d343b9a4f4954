/**
 * Randomness that a test can repeat: tests for many seeds, and the lengths, cuts and bytes that one seed gives. It
 * knows nothing of verbs; all tests may know it.
 */
@NullMarked
package org.panamaverbs.testkit.random;

import org.jspecify.annotations.NullMarked;
