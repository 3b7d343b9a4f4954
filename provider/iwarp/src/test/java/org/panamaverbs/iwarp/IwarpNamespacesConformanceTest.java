package org.panamaverbs.iwarp;

import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp over shared memory between two network namespaces. */
@Tag("lab")
@RunsOn(value = Iwarp.Namespaces.class, carrierOnly = true)
class IwarpNamespacesConformanceTest extends ConformanceSuite {}
