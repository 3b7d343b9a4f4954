/**
 * The provider of the guide's page {@code provider}: Sends, Writes and Reads between queue pairs of one process are
 * copies of memory, done by the post itself under one lock. Nobody imports it.
 */
@NullMarked
package org.panamaverbs.memcpy;

import org.jspecify.annotations.NullMarked;
