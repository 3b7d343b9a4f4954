package org.panamaverbs.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/** What is said while benchmarks run. */
class ProgressTest {

    @Test
    void outlivesABenchmarkWhoseProcessFailed() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        Progress progress = new Progress(nowhere, nowhere);
        progress.format().endBenchmark(null);
        assertThat(progress.failed()).isEmpty();
    }
}
