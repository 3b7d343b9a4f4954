package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp over shared memory between two network namespaces. */
@RunsOn(Iwarp.Namespaces.class)
class IwarpNamespacesConformanceTest extends ConformanceSuite {}
