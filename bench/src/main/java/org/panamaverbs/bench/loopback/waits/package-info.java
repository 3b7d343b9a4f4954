/** What waits that poll, sleep, or do one after the other cost at given rates of messages. */
@NullMarked
package org.panamaverbs.bench.loopback.waits;

import org.jspecify.annotations.NullMarked;
