/** A ring over RDMA Write with a consumer that polls: docs/guide/examples/ring.md explains it. */
@NullMarked
package org.panamaverbs.examples.ring;

import org.jspecify.annotations.NullMarked;
