/**
 * After the path of a queue pair has failed: what is known of its requests, and another way to the peer. The guide
 * docs/guide/recovery.md has the pattern.
 */
@NullMarked
package org.panamaverbs.api.recovery;

import org.jspecify.annotations.NullMarked;
