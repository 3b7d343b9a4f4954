/**
 * The log of what happens where nobody may wait for a handler of the log: under locks and on the event loop's thread.
 * Known to whatever of this module logs; knows nothing of it.
 */
@NullMarked
package org.panamaverbs.iwarp.log;

import org.jspecify.annotations.NullMarked;
