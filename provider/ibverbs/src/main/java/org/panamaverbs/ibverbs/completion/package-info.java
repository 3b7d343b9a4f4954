/** Completion queues and their channels: polling, what is kept for the application, the markers of ours. */
@NullMarked
package org.panamaverbs.ibverbs.completion;

import org.jspecify.annotations.NullMarked;
