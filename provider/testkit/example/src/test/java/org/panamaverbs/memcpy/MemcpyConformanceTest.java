package org.panamaverbs.memcpy;

import java.util.Set;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.ProviderUnderTest;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/** The whole conformance suite on the provider {@code memcpy}. */
@RunsOn(MemcpyConformanceTest.Memcpy.class)
class MemcpyConformanceTest extends ConformanceSuite {
    /** Two opened devices of this process. */
    static final class Memcpy implements ProviderUnderTest {
        @Override
        public String title() {
            return "memcpy";
        }

        @Override
        public Verbs openA() {
            return Verbs.open(OpenConfig.provider("memcpy"));
        }

        @Override
        public Set<Guarantee> broken(Verbs verbs) {
            return Set.of(Guarantee.UNPREDICTABLE_KEYS, Guarantee.ATOMICS_UNDER_WAY);
        }
    }
}
