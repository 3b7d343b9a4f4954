package org.panamaverbs.ibverbs;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on the device that {@code -Dverbs.test.device} names. */
@RunsOn(Devices.Given.class)
class DeviceConformanceTest extends ConformanceSuite {}
