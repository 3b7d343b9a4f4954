/** Event queues and attempts that no thread waits for: many objects, one thread, nothing lost. */
@NullMarked
package org.panamaverbs.testkit.conformance.event;

import org.jspecify.annotations.NullMarked;
