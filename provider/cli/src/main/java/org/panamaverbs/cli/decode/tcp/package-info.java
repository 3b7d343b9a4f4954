/** TCP as captured: the segments in packets, and the octets of each direction put back in order. */
@NullMarked
package org.panamaverbs.cli.decode.tcp;

import org.jspecify.annotations.NullMarked;
