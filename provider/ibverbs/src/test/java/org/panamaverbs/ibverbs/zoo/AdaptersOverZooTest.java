package org.panamaverbs.ibverbs.zoo;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The conformance suite on each adapter of the zoo. */
@Tag("proof")
@ExtendWith(LeftOut.class)
class AdaptersOverZooTest {
    @Nested
    @RunsOn(Zoo.Roce.class)
    class Roce extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Iwarp.class)
    class Iwarp extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Mlx5.class)
    class Mlx5 extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Mlx5WithoutRoce.class)
    class Mlx5WithoutRoce extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.BnxtRe.class)
    class BnxtRe extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Irdma.class)
    class Irdma extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Hns.class)
    class Hns extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Efa.class)
    class Efa extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Erdma.class)
    class Erdma extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Cxgb4.class)
    class Cxgb4 extends ConformanceSuite {}

    @Nested
    @RunsOn(Zoo.Sick.class)
    class Sick extends ConformanceSuite {}
}
