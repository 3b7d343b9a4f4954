package org.panamaverbs.api.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminateGuideTest {
    /** It has them by name, so that the compiler sees neither a reason too few nor one that is gone. */
    @Test
    void speaksOfEachReasonAndOfNothingElse() {
        assertThat(TerminateGuide.reasons())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(TerminateReason.values()).map(Enum::name).toList());
    }

    @Test
    void saysSomethingOfEach() {
        assertThat(TerminateReason.values()).allSatisfy(reason -> {
            assertThat(reason.usualCause()).isNotBlank();
            assertThat(reason.remedy()).isNotBlank();
        });
    }

    /** One code stands for several mistakes: the message that it was found in tells them apart. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNTAGGED_NO_BUFFER | SEND             | post receives",
                "UNTAGGED_NO_BUFFER | IMMEDIATE        | post receives",
                "UNTAGGED_NO_BUFFER | READ_REQUEST     | keep to the negotiated depths",
                "UNTAGGED_NO_BUFFER | ATOMIC_REQUEST   | keep to the negotiated depths",
                "UNTAGGED_NO_BUFFER | ATOMIC_RESPONSE  | report the sender's bug",
                "UNEXPECTED_OPCODE  | ATOMIC_REQUEST   | draft.swap",
                "UNEXPECTED_OPCODE  | IMMEDIATE        | use what both sides support",
                "UNEXPECTED_OPCODE  | READ_RESPONSE    | report the sender's bug",
                "UNEXPECTED_OPCODE  | UNASSIGNED       | report the sender's bug",
                "STREAM_CATASTROPHIC| ATOMIC_REQUEST   | align the target",
                "STREAM_CATASTROPHIC| READ_REQUEST     | connect with depths",
                "TAGGED_INVALID_STAG| RDMA_WRITE       | grant REMOTE_WRITE in the queue pair",
                "TAGGED_INVALID_STAG| READ_RESPONSE    | keep the memory that a Read fills registered",
                "TAGGED_BOUNDS      | RDMA_WRITE       | compare offset and length",
                "TAGGED_BOUNDS      | READ_RESPONSE    | report the sender's bug",
                "LOCAL_PROTECTION   | READ_RESPONSE    | the failed completion names the request",
            })
    void theMessageDecidesToo(TerminateReason reason, TerminatedSegment.Message message, String remedy) {
        String said = remedyFor(reason, message);

        assertThat(said)
                .startsWith(remedy.equals("draft.swap") ? "use" : remedy)
                .contains(remedy);
        if (!remedy.equals("draft.swap")) {
            assertThat(said).doesNotContain("draft.swap");
        }
        if (!said.startsWith("post receives")) {
            assertThat(said).doesNotContain("post receives");
        }
    }

    private static String remedyFor(TerminateReason reason, TerminatedSegment.Message message) {
        TerminatedSegment segment = new TerminatedSegment.Untagged(opcode(message), true, 20, 0, 1, 0, null, null);
        return new TerminateCause(TerminateCause.Origin.LOCAL, 1, 2, 2, reason, reason.text(), "", "", segment)
                .remedy();
    }

    private static int opcode(TerminatedSegment.Message message) {
        return IntStream.range(0, 16)
                .filter(each -> TerminatedSegment.Message.of(each) == message)
                .findFirst()
                .orElseThrow();
    }
}
