/**
 * A market-data feed by multicast datagrams, whose gaps are noticed and filled: docs/guide/examples/feed.md explains
 * it.
 */
@NullMarked
package org.panamaverbs.examples.feed;

import org.jspecify.annotations.NullMarked;
