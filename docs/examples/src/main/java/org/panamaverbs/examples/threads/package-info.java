/** Virtual threads that post, and one thread that polls for all of them: docs/guide/examples/threads.md explains it. */
@NullMarked
package org.panamaverbs.examples.threads;

import org.jspecify.annotations.NullMarked;
