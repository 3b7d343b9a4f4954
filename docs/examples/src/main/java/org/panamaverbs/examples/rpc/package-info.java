/** Requests and responses of many clients, by message channels: docs/guide/examples/rpc.md explains it. */
@NullMarked
package org.panamaverbs.examples.rpc;

import org.jspecify.annotations.NullMarked;
