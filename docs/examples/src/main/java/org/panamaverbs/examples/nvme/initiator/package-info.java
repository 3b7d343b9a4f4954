/**
 * A host of NVMe over Fabrics: it connects the admin queue and I/O queues, sends command capsules, lends its memory to
 * the controller by windows, and takes the answers.
 */
@NullMarked
package org.panamaverbs.examples.nvme.initiator;

import org.jspecify.annotations.NullMarked;
