package org.panamaverbs.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.testkit.ProviderUnderTest;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.connection.DatagramsConformance;
import org.panamaverbs.testkit.conformance.connection.RetryTimesConformance;
import org.panamaverbs.testkit.conformance.operation.BatchConformance;

/** What JUnit's launcher discovers of a provider's conformance classes. */
class LocalDiscoveryTest {
    /** Two classes with API cases and carrier cases, and one of a feature that the device lacks. */
    @RunsOn(LocalConformanceTest.Local.class)
    static class AllCases {
        @Nested
        class Batch extends BatchConformance {}

        @Nested
        class RetryTimes extends RetryTimesConformance {}

        @Nested
        class Datagrams extends DatagramsConformance {}
    }

    /** The same of a class without API cases. */
    @RunsOn(value = LocalConformanceTest.Local.class, carrierOnly = true)
    static class CarrierCases {
        @Nested
        class Batch extends BatchConformance {}
    }

    /** Of a provider that is not here. */
    @RunsOn(Nowhere.class)
    static class Missing {
        @Nested
        class Batch extends BatchConformance {}
    }

    static final class Nowhere implements ProviderUnderTest {
        @Override
        public String title() {
            return "nowhere";
        }

        @Override
        public Optional<String> missing() {
            return Optional.of("there is no such device");
        }

        @Override
        public Verbs openA() {
            throw new AssertionError("opened although it is missing");
        }
    }

    private static Set<String> discovered(Class<?> type) {
        var plan = LauncherFactory.create()
                .discover(LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(type))
                        .build());
        return plan.getRoots().stream()
                .flatMap(root -> plan.getDescendants(root).stream())
                .map(TestIdentifier::getSource)
                .flatMap(Optional::stream)
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .collect(Collectors.toSet());
    }

    @Test
    void leavesOutWhatTheDeviceLacks() {
        assertThat(discovered(AllCases.class))
                .contains("sendsNothingBeforeSubmit", "emptyBatchSubmitsNothing", "refusesTimesThatCannotAct")
                .doesNotContain("bothSidesHaveTheTimesTheyAskFor", "exchangesDatagramsBothWays");
    }

    @Test
    void leavesOutApiCasesWhereCarrierCasesAloneAreAskedFor() {
        assertThat(discovered(CarrierCases.class))
                .contains("sendsNothingBeforeSubmit")
                .doesNotContain("emptyBatchSubmitsNothing");
    }

    @Test
    void findsNothingOfAProviderThatIsMissing() {
        assertThat(discovered(Missing.class)).isEmpty();
    }
}
