package com.example;

import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.ProviderUnderTest;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.operation.RdmaReadConformance;
import org.panamaverbs.testkit.conformance.operation.RdmaWriteConformance;
import org.panamaverbs.testkit.conformance.operation.SendReceiveConformance;
import org.panamaverbs.testkit.conformance.protection.CapabilitiesConformance;
import org.panamaverbs.testkit.conformance.protection.RemoteProtectionConformance;

/** What docs/guide/provider.md begins with, of the published suite. */
@RunsOn(LocalConformanceTest.Local.class)
class LocalConformanceTest {
    static final class Local implements ProviderUnderTest {
        @Override
        public String title() {
            return "local";
        }

        @Override
        public Verbs openA() {
            return Verbs.open(OpenConfig.provider("local"));
        }

        @Override
        public Set<Guarantee> broken(Verbs verbs) {
            return Set.of(Guarantee.UNPREDICTABLE_KEYS, Guarantee.ATOMICS_UNDER_WAY);
        }
    }

    @Nested
    class SendReceive extends SendReceiveConformance {}

    @Nested
    class RdmaWrite extends RdmaWriteConformance {}

    @Nested
    class RdmaRead extends RdmaReadConformance {}

    @Nested
    class Capabilities extends CapabilitiesConformance {}

    @Nested
    class RemoteProtection extends RemoteProtectionConformance {}
}
