/**
 * What is moved between the core and a socket, and lent for it: known to both, so that neither has to know the other.
 */
@NullMarked
package org.panamaverbs.iwarp.iovec;

import org.jspecify.annotations.NullMarked;
