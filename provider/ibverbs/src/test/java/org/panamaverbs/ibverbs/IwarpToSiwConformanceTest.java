package org.panamaverbs.ibverbs;

import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite with the Java provider connecting to the kernel's iWARP, siw. */
@Tag("lab")
@RunsOn(Devices.IwarpToSiw.class)
class IwarpToSiwConformanceTest extends ConformanceSuite {}
