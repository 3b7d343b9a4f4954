package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp under TLS, both sides with certificates. */
@RunsOn(value = Iwarp.Tls.class, carrierOnly = true)
class IwarpTlsConformanceTest extends ConformanceSuite {}
