/**
 * Which sockets go by RDMA and which by plain TCP: rules by address, and what they say of one. Knows nothing of
 * sockets; known to the channels, and to who shows the rules.
 */
@NullMarked
package org.panamaverbs.sockets.rules;

import org.jspecify.annotations.NullMarked;
