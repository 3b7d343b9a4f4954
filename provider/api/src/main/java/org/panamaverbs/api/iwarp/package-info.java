/**
 * What iWARP alone has: why a stream was terminated, as a cause with its reason and the headers of the segment at fault
 * (RFC 5040 §4.8). Providers of other transports have no use for it. It imports the memory module alone.
 */
@NullMarked
package org.panamaverbs.api.iwarp;

import org.jspecify.annotations.NullMarked;
