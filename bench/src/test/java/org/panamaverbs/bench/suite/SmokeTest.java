package org.panamaverbs.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.binding.Stub;

/** Every benchmark runs: once, with the least of each parameter. */
@Timeout(120)
class SmokeTest {
    private static final String PACKAGES = "org.panamaverbs.bench.";

    private static Collection<RunResult> runOnce(String packageName) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + PACKAGES.replace(".", "\\.") + packageName + "\\.")
                .forks(0)
                .mode(Mode.SingleShotTime)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .param("size", "64")
                .param("crc", "on")
                .param("completions", "1")
                .param("length", "64")
                .param("bytes", "4096")
                .param("idle", "1")
                .param("active", "2")
                .param("progress", "spin", "background");
        return new Runner(options.build()).run();
    }

    @ParameterizedTest
    @ValueSource(strings = {"iwarp", "loopback", "memory"})
    void everyBenchmarkRuns(String packageName) throws RunnerException {
        assertThat(runOnce(packageName)).isNotEmpty();
    }

    @Test
    void everyBenchmarkOfTheBindingRuns() throws RunnerException {
        Stub.require();
        assertThat(runOnce("binding")).isNotEmpty();
    }

    @Test
    void everyBenchmarkIsInAPackageThatIsRunAndAsksAQuestion() throws ClassNotFoundException {
        Set<String> types = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                .stream()
                .map(entry -> entry.getUserClassQName())
                .collect(Collectors.toSet());
        assertThat(types)
                .isNotEmpty()
                .allMatch(type ->
                        type.matches("org\\.panamaverbs\\.bench\\.(binding|iwarp|loopback|memory)\\.\\w+Benchmark"));
        for (String type : types) {
            assertThat(Class.forName(type).getAnnotation(Question.class))
                    .as(type)
                    .isNotNull();
        }
    }
}
