package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp making progress while it is polled. */
@RunsOn(Iwarp.Spin.class)
class IwarpSpinConformanceTest extends ConformanceSuite {}
