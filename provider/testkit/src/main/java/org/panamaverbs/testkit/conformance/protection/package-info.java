/**
 * What is refused, at the requester and at the responder, and what it costs who tried: rights, bounds, keys, windows,
 * states.
 */
@NullMarked
package org.panamaverbs.testkit.conformance.protection;

import org.jspecify.annotations.NullMarked;
