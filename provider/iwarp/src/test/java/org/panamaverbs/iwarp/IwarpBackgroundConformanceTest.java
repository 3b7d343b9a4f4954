package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp with a thread of its own for progress. */
@RunsOn(Iwarp.Background.class)
class IwarpBackgroundConformanceTest extends ConformanceSuite {}
