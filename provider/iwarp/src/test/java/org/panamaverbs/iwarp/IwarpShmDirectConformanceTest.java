package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp over shared memory, where the initiator's processor does what it can. */
@RunsOn(value = Iwarp.ShmDirect.class, carrierOnly = true)
class IwarpShmDirectConformanceTest extends ConformanceSuite {}
