/** A lock and a counter that clients share by atomics: docs/guide/examples/lock.md explains it. */
@NullMarked
package org.panamaverbs.examples.lock;

import org.jspecify.annotations.NullMarked;
