/**
 * Calls and replies by Sends, from many clients into one shared receive queue: docs/guide/examples/rpc.md explains it.
 */
@NullMarked
package org.panamaverbs.examples.rpc;

import org.jspecify.annotations.NullMarked;
