/** {@code verbs doctor}: what is in the way of RDMA on a machine, found in the kernel's files, with what mends it. */
@NullMarked
package org.panamaverbs.cli.doctor;

import org.jspecify.annotations.NullMarked;
