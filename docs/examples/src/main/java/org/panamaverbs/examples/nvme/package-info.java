/**
 * Blocks over RDMA as Linux speaks it, NVMe over Fabrics: an initiator and a target, for each other and for the
 * kernel's. docs/guide/examples/nvme.md explains it.
 */
@NullMarked
package org.panamaverbs.examples.nvme;

import org.jspecify.annotations.NullMarked;
