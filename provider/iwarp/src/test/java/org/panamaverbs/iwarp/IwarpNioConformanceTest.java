package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/**
 * The conformance suite on iwarp over the sockets of NIO; the other runs of it take the best sockets that there are.
 */
@RunsOn(value = Iwarp.Nio.class, carrierOnly = true)
class IwarpNioConformanceTest extends ConformanceSuite {}
