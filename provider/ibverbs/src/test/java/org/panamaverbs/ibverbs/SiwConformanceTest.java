package org.panamaverbs.ibverbs;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on the kernel's iWARP, siw. */
@RunsOn(Devices.Siw.class)
class SiwConformanceTest extends ConformanceSuite {}
