package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp over shared memory making progress while it is polled. */
@RunsOn(value = Iwarp.ShmSpin.class, carrierOnly = true)
class IwarpShmSpinConformanceTest extends ConformanceSuite {}
