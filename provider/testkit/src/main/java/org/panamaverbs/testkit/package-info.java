/**
 * The provider under test, and two connected sides of it: what it is and does not promise, polling and waiting with
 * deadlines, resources that close in order, and the annotations that tie a test to a requirement and a suite to a
 * provider. All tests may know it.
 */
@NullMarked
package org.panamaverbs.testkit;

import org.jspecify.annotations.NullMarked;
