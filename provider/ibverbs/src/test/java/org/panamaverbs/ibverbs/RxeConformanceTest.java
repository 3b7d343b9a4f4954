package org.panamaverbs.ibverbs;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on the kernel's RoCE, rdma_rxe. */
@RunsOn(Devices.Rxe.class)
class RxeConformanceTest extends ConformanceSuite {}
