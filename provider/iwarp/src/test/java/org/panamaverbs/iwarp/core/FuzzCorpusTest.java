package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.Requirement;

/**
 * Plays what fuzzing has found, {@code src/test/resources/fuzz}, and the seeds through the targets again, and fails if
 * they do not get everywhere any more. {@code provider/iwarp/fuzz} looks for more.
 */
class FuzzCorpusTest {
    private static final long MOST_BYTES = 400_000;
    /** All but Terminate, which ends the stream. */
    private static final String OPCODES = "0 1 2 3 4 5 6 8 9 a b";
    /** What a peer can be told it did wrong. */
    private static final String CODES = "0/1/00 0/1/01 0/1/02 0/1/03 0/1/04 0/1/09 0/2/05 0/2/06 0/2/07 0/2/ff 1/1/00"
            + " 1/1/01 1/1/02 1/1/03 1/1/04 1/2/01 1/2/02 1/2/03 1/2/04 1/2/05 1/2/06 2/0/02 2/0/03";

    private static List<String> each(String prefix, String words) {
        return Arrays.stream(words.split(" ")).map(prefix::concat).toList();
    }

    @Test
    @Requirement("ENH-12-01")
    void startupFramesReachEveryOutcome() throws IOException {
        Set<String> reached = FuzzCorpus.replay("startup", StartupFuzz::run);
        for (String side : List.of("initiator ", "responder ")) {
            assertThat(reached).containsAll(each(side, "DONE REJECTED FAILED CLOSED MALFORMED REVISION CRC"));
            assertThat(reached).contains(side + "no CRC", side + "rev 1 NONE");
            assertThat(reached).containsAll(each(side + "rev 2 ", "NONE WRITE READ SEND"));
        }
        assertThat(reached).contains("initiator 2/0/06", "initiator 2/0/07");
    }

    @Test
    @Requirement({"DDP-7.1-03", "SEC-6.2.1-01", "SEC-6.3.1-01"})
    void fpdusReachEveryOpcodeAndTerminate() throws IOException {
        Set<String> reached = FuzzCorpus.replay("fpdus", FpduFuzz::run);
        assertThat(reached).containsAll(each("op ", OPCODES)).contains("peer");
        assertThat(reached).containsAll(each("here ", CODES)).containsAll(each("sent ", CODES));
        assertThat(reached).containsAll(each("answered ", "0 1 2 3 a b"));
    }

    @Test
    @Requirement({"DDP-7.1-03", "SEC-6.2.1-01", "SEC-6.3.1-01"})
    void streamsReachEveryOpcodeAndTerminate() throws IOException {
        Set<String> reached = FuzzCorpus.replay("stream", StreamFuzz::run);
        assertThat(reached).containsAll(each("op ", OPCODES)).contains("peer");
        assertThat(reached).containsAll(each("here ", CODES)).containsAll(each("sent ", CODES));
        // A completion queue overrun, and what cannot work from the set-up on.
        assertThat(reached).containsAll(each("sent ", "0/0/00 2/0/06 2/0/07"));
        assertThat(reached).containsAll(each("answered ", OPCODES));
    }

    @Test
    void decodersReachEveryForm() throws IOException {
        Set<String> reached = FuzzCorpus.replay("decode", DecodeFuzz::run);
        assertThat(reached).contains("buffer true", "buffer false", "own true", "own false", "tagged", "untagged");
        assertThat(reached)
                .contains("terminate rfc", "terminate rfc request", "terminate siw", "terminate siw request");
        assertThat(reached)
                .containsAll(each("frame ", "complete more KEY ROLE REVISION PRIVATE_DATA_LENGTH ENHANCED_BLOCK"));
    }

    @Test
    void theCorpusStaysSmall() throws IOException {
        long bytes = 0;
        for (String target : FuzzSeeds.all().keySet()) {
            List<Path> inputs = FuzzCorpus.of(target);
            assertThat(inputs).as(target).isNotEmpty();
            for (Path input : inputs) {
                bytes += Files.size(input);
            }
        }
        assertThat(bytes).isLessThan(MOST_BYTES);
    }
}
