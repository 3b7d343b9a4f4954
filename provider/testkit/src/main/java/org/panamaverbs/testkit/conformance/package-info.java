/**
 * The conformance suite: abstract test classes over the verbs API, one idea each. What a device lacks is skipped with
 * the capability as the reason; nothing depends on a provider's name. The suite is here, and its scenarios are in the
 * packages below, which know the testkit and not each other.
 */
@NullMarked
package org.panamaverbs.testkit.conformance;

import org.jspecify.annotations.NullMarked;
