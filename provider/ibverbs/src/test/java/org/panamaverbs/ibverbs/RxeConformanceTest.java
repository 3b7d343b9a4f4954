package org.panamaverbs.ibverbs;

import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on the kernel's RoCE, rdma_rxe. */
@Tag("lab")
@RunsOn(Devices.Rxe.class)
class RxeConformanceTest extends ConformanceSuite {}
