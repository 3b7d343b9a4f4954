package org.panamaverbs.ibverbs;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite with the Java provider connecting to the kernel's iWARP, siw. */
@RunsOn(Devices.IwarpToSiw.class)
class IwarpToSiwConformanceTest extends ConformanceSuite {}
