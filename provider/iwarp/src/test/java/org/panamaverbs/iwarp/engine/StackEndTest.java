package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.panamaverbs.iwarp.net.unix.SharedMemory;
import org.panamaverbs.testkit.faults.StackEnd;
import org.panamaverbs.testkit.faults.StackEndProgram;

/** What stays usable after the stack has ended in calls, and what goes on beside them. */
class StackEndTest {
    @TempDir
    private Path directory;

    @Test
    void nothingStaysLockedOfAFewCalls() throws Exception {
        expectNothingLocked(
                "-XX:TieredStopAtLevel=1", "progress=background shm=off", List.of("SEND", "POLL", "CONNECT"));
    }

    @ParameterizedTest
    @Tag("proof")
    @FieldSource("org.panamaverbs.testkit.faults.StackEndProgram#WAYS_OF_COMPILING")
    void nothingStaysLocked(String options) throws Exception {
        List<String> all = Arrays.stream(StackEndCall.values()).map(Enum::name).toList();
        expectNothingLocked(options, "progress=background shm=off", all);
    }

    /** Other transports, sockets and ways of progress, each with the calls that differ by it. */
    @ParameterizedTest
    @Tag("proof")
    @CsvSource({
        "-XX:+TieredCompilation, progress=background tls, SEND POLL CONNECT DISCONNECT ACCEPT",
        "-XX:TieredStopAtLevel=1, progress=background sockets=nio, SEND POLL CONNECT DISCONNECT ACCEPT",
        "-XX:-TieredCompilation -XX:CompileThreshold=1000, progress=spin shm=off, "
                + "SEND POLL POLL_OF_MANY AWAIT CONNECT DISCONNECT ACCEPT",
        "-XX:+TieredCompilation, progress=background sockets=libc shm=require, "
                + "SEND WRITE READ POLL AWAIT CONNECT DISCONNECT CLOSE ACCEPT",
        "-XX:TieredStopAtLevel=1, progress=spin sockets=libc shm=require, SEND POLL CONNECT DISCONNECT ACCEPT",
        "-XX:-TieredCompilation -XX:CompileThreshold=1000, progress=background sockets=libc shm=require shm.direct=on, "
                + "WRITE READ INLINE ATOMIC BATCH"
    })
    void nothingStaysLockedOtherwise(String options, String with, String calls) throws Exception {
        assumeTrue(!with.contains("shm=require") || SharedMemory.obstacle().isEmpty());
        expectNothingLocked(options, with, List.of(calls.split(" ", -1)));
    }

    private void expectNothingLocked(String options, String with, List<String> calls) throws Exception {
        List<String> arguments = new ArrayList<>(calls);
        arguments.addFirst(with);

        Map<String, StackEnd.Outcome> outcomes = StackEndProgram.run(directory, StackEnds.class, options, arguments);

        assertThat(outcomes).containsOnlyKeys(calls);
        assertThat(outcomes).allSatisfy((call, outcome) -> {
            assertThat(outcome.overflows()).isPositive();
            assertThat(outcome.tried()).isGreaterThan(outcome.overflows());
        });
    }
}
