package org.panamaverbs.iwarp;

import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on iwarp over shared memory with a thread of its own for progress. */
@RunsOn(Iwarp.Shm.class)
class IwarpShmConformanceTest extends ConformanceSuite {}
