package org.panamaverbs.ibverbs;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite with the kernel's iWARP, siw, connecting to the Java provider. */
@RunsOn(Devices.SiwToIwarp.class)
class SiwToIwarpConformanceTest extends ConformanceSuite {}
