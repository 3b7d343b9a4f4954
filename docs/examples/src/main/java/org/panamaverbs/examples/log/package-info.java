/** A log that a leader publishes to replicas, which record it: docs/guide/examples/log.md explains it. */
@NullMarked
package org.panamaverbs.examples.log;

import org.jspecify.annotations.NullMarked;
