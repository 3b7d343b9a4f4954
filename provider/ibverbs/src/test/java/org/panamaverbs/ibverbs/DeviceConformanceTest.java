package org.panamaverbs.ibverbs;

import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on the device that {@code -Dverbs.test.device} names. */
@Tag("lab")
@RunsOn(Devices.Given.class)
class DeviceConformanceTest extends ConformanceSuite {}
