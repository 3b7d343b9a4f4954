/**
 * After the path of a queue pair has failed: what is known of its requests, and another way to the peer. The guide's
 * page {@code recovery} has the pattern.
 */
@NullMarked
package org.panamaverbs.api.recovery;

import org.jspecify.annotations.NullMarked;
