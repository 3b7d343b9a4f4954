/**
 * What went wrong, found here or told by the peer: the reason with its Terminate code, and the headers that a Terminate
 * returns.
 */
@NullMarked
package org.panamaverbs.iwarp.core.fault;

import org.jspecify.annotations.NullMarked;
