/**
 * The soak: thousands of connections under mixed operations for as long as wanted, with peers that are killed, and a
 * ledger that knows of each work request whether it was completed exactly once.
 *
 * <p>It lives in the testkit and not beside a provider because it knows nothing but the API: what it asks of provider
 * iwarp it can ask of any device of provider ibverbs. It is no conformance test, since it needs processes to kill and
 * minutes to run; {@code provider/testkit/soak} starts it.
 */
@NullMarked
package org.panamaverbs.testkit.soak;

import org.jspecify.annotations.NullMarked;
