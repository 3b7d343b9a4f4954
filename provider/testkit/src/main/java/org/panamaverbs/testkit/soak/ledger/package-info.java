/**
 * What is known of each work request, and what that tells: whether it was completed exactly once, what went wrong, how
 * much was done. It knows no verbs objects; traffic, lines and the soak report here.
 */
@NullMarked
package org.panamaverbs.testkit.soak.ledger;

import org.jspecify.annotations.NullMarked;
