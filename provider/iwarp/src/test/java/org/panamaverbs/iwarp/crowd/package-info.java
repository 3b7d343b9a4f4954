/** Thousands of connections of the provider iwarp, beside peers that never end their handshake. */
@NullMarked
package org.panamaverbs.iwarp.crowd;

import org.jspecify.annotations.NullMarked;
