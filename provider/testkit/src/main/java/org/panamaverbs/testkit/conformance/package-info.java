/**
 * The conformance suite: abstract test classes over the verbs API, one idea each. What a device lacks is skipped with
 * the capability as the reason; nothing depends on a provider's name.
 */
@NullMarked
package org.panamaverbs.testkit.conformance;

import org.jspecify.annotations.NullMarked;
