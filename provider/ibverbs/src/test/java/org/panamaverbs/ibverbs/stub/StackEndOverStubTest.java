package org.panamaverbs.ibverbs.stub;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.panamaverbs.testkit.faults.StackEnd;
import org.panamaverbs.testkit.faults.StackEndProgram;

/** What stays usable after the stack has ended in calls, over the stub of libibverbs. */
class StackEndOverStubTest {
    @TempDir
    private Path directory;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @Test
    void nothingStaysLockedOfAFewCalls() throws Exception {
        expectNothingLocked("-XX:TieredStopAtLevel=1", List.of("SEND", "REGISTER", "CONNECT"));
    }

    @ParameterizedTest
    @Tag("proof")
    @FieldSource("org.panamaverbs.testkit.faults.StackEndProgram#WAYS_OF_COMPILING")
    void nothingStaysLocked(String options) throws Exception {
        List<String> calls = Arrays.stream(StubCall.values()).map(Enum::name).toList();
        int half = calls.size() / 2;
        // Each program has a deadline, which is meant for what hangs.
        expectNothingLocked(options, calls.subList(0, half));
        expectNothingLocked(options, calls.subList(half, calls.size()));
    }

    private void expectNothingLocked(String options, List<String> calls) throws Exception {
        Map<String, StackEnd.Outcome> outcomes = StackEndProgram.run(directory, StubStackEnds.class, options, calls);

        assertThat(outcomes).containsOnlyKeys(calls);
        assertThat(outcomes).allSatisfy((call, outcome) -> {
            assertThat(outcome.overflows()).isPositive();
            assertThat(outcome.tried()).isGreaterThan(outcome.overflows());
        });
    }
}
