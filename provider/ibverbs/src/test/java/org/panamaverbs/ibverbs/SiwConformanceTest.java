package org.panamaverbs.ibverbs;

import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on the kernel's iWARP, siw. */
@Tag("lab")
@RunsOn(Devices.Siw.class)
class SiwConformanceTest extends ConformanceSuite {}
