/**
 * What NVMe over Fabrics puts on RDMA: private data of the set-up, capsules, and the structures that commands carry.
 * Bytes and numbers alone: nothing here connects or posts. All numbers are little-endian.
 */
@NullMarked
package org.panamaverbs.examples.nvme.wire;

import org.jspecify.annotations.NullMarked;
