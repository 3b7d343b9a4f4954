package org.panamaverbs.ibverbs;

import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite with the kernel's iWARP, siw, connecting to the Java provider. */
@Tag("lab")
@RunsOn(Devices.SiwToIwarp.class)
class SiwToIwarpConformanceTest extends ConformanceSuite {}
