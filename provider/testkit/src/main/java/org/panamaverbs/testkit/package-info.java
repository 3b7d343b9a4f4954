/**
 * Fixtures for tests over the verbs API: two connected sides, polling with deadlines, resources that close in order,
 * seeded randomness, and the annotations that tie a test to a requirement and a suite to a provider.
 */
@NullMarked
package org.panamaverbs.testkit;

import org.jspecify.annotations.NullMarked;
