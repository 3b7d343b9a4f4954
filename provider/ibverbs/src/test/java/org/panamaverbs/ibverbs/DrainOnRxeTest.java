package org.panamaverbs.ibverbs;

import org.panamaverbs.ibverbs.queuepair.DrainCases;
import org.panamaverbs.testkit.RunsOn;

/** Drains on the kernel's RoCE, rdma_rxe. */
@RunsOn(Devices.Rxe.class)
class DrainOnRxeTest extends DrainCases {}
