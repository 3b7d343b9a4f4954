package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp under TLS, both sides with certificates. */
@RunsOn(Iwarp.Tls.class)
class IwarpTlsConformanceTest extends ConformanceSuite {}
