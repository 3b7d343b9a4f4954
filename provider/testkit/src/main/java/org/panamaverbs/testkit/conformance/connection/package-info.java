/**
 * How connections begin and end, with their private data, listeners and deadlines; datagrams, and states gone through
 * by hand.
 */
@NullMarked
package org.panamaverbs.testkit.conformance.connection;

import org.jspecify.annotations.NullMarked;
