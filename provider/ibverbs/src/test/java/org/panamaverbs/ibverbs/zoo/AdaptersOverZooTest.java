package org.panamaverbs.ibverbs.zoo;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on each adapter of the zoo. */
@Tag("proof")
class AdaptersOverZooTest {
    @Nested
    @RunsOn(Zoo.Roce.class)
    class Roce extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Iwarp.class)
    class Iwarp extends ConformanceSuite {}
}
