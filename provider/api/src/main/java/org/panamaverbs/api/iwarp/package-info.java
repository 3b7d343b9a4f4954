/**
 * iWARP only: why a stream was terminated ({@link org.panamaverbs.api.iwarp.TerminateCause}), with its reason and the
 * headers of the segment at fault (RFC 5040 §4.8). Imports the memory module only.
 */
@NullMarked
package org.panamaverbs.api.iwarp;

import org.jspecify.annotations.NullMarked;
