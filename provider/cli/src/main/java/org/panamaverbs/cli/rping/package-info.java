/** {@code verbs rping}: the ping of rdma-core, compatible on the wire and in its options. */
@NullMarked
package org.panamaverbs.cli.rping;

import org.jspecify.annotations.NullMarked;
