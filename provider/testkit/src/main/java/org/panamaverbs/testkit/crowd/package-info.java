/**
 * Thousands of connections, each side of which is one thread with an event queue, and what that costs: how many are
 * accepted a second, and how long a message of one takes alone and beside all others. It knows nothing but the API, and
 * is a part of tests of providers, which bring the peers that never end their handshake.
 */
@NullMarked
package org.panamaverbs.testkit.crowd;

import org.jspecify.annotations.NullMarked;
