package org.panamaverbs.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which benchmarks run. */
class SuiteRunTest {
    @ParameterizedTest
    @CsvSource({
        "'', true",
        "binding, true",
        "PollCq, true",
        "poll|ops, true",
        "bench.binding.PollCqBenchmark.ops$, true",
        "^org, true",
        "loopback, false",
        "Latency, false",
    })
    void findsAPatternAnywhereInTheName(String only, boolean found) {
        String included = SuiteRun.included("^org\\.panamaverbs\\.bench\\.(binding|iwarp)\\.", only);
        assertThat(Pattern.compile(included)
                        .matcher("org.panamaverbs.bench.binding.PollCqBenchmark.ops")
                        .find())
                .isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource({"Latency", "''"})
    void runsNothingOfOtherPackages(String only) {
        String included = SuiteRun.included("^org\\.panamaverbs\\.bench\\.(binding|iwarp)\\.", only);
        assertThat(Pattern.compile(included)
                        .matcher("org.panamaverbs.bench.loopback.ReadLatencyBenchmark.read")
                        .find())
                .isFalse();
    }
}
