/** A ring in the consumer's memory, by a message channel: docs/guide/examples/ring.md explains it. */
@NullMarked
package org.panamaverbs.examples.ring;

import org.jspecify.annotations.NullMarked;
