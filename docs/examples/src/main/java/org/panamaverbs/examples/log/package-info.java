/** A log that a leader writes into the memory of replicas: docs/guide/examples/log.md explains it. */
@NullMarked
package org.panamaverbs.examples.log;

import org.jspecify.annotations.NullMarked;
