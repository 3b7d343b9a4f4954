/** {@code verbs demo}: two processes that run every RDMA operation on each other and check what arrived. */
@NullMarked
package org.panamaverbs.cli.demo;

import org.jspecify.annotations.NullMarked;
