/**
 * A controller of NVMe over Fabrics: one thread that accepts queues, takes command capsules, moves data by RDMA Read
 * and Write between the host's memory and its own, and answers.
 */
@NullMarked
package org.panamaverbs.examples.nvme.controller;

import org.jspecify.annotations.NullMarked;
