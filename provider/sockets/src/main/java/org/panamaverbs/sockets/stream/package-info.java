/**
 * The stream of an rsocket over verbs: its memory and queues, what is posted, who drives it, how it is connected and
 * ended. Known to the channels alone.
 */
@NullMarked
package org.panamaverbs.sockets.stream;

import org.jspecify.annotations.NullMarked;
