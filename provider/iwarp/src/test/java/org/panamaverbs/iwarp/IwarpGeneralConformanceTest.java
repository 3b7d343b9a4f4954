package org.panamaverbs.iwarp;

import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp without header prediction: the general path does all that the short one does. */
@Tag("proof")
@RunsOn(value = Iwarp.General.class, carrierOnly = true)
class IwarpGeneralConformanceTest extends ConformanceSuite {}
