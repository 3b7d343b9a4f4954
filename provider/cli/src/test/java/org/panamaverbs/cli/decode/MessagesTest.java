package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.wire.Opcode;

/** Messages whose segments are sound each by itself and do not fit one another, and those that do. */
class MessagesTest {
    private static final int SINK = 0x1000;
    private static final int OTHER_SINK = 0x2000;

    private final CaptureBuilder capture =
            new CaptureBuilder().open().send(Fpdus.mpa(false, true, false)).answer(Fpdus.mpa(true, true, false));

    private MessagesTest send(byte[]... fpdus) {
        for (byte[] fpdu : fpdus) {
            capture.send(fpdu);
        }
        return this;
    }

    private MessagesTest answer(byte[]... fpdus) {
        for (byte[] fpdu : fpdus) {
            capture.answer(fpdu);
        }
        return this;
    }

    /** What is wrong, with the number of the FPDU it is said of, from 1. */
    private List<String> problems() {
        Decoded decoded = Decoded.of(capture.pcap());
        List<String> problems = new ArrayList<>();
        for (int i = 2; i < decoded.units().size(); i++) {
            int number = i - 1;
            decoded.units().get(i).problems().forEach(problem -> problems.add(number + ": " + problem));
        }
        assertThat(decoded.summary().problems).isEqualTo(problems.size());
        return problems;
    }

    @Test
    void findsNothingInMessagesThatFollowOneAnother() {
        send(Ulpdus.send(1), Ulpdus.untagged(Opcode.SEND_SE, 2, 0, 9, false));
        send(Ulpdus.tagged(
                Opcode.RDMA_WRITE, SINK, -4, 8, false)); // between the segments of a Send, over the wrap of TO
        send(Ulpdus.untagged(Opcode.SEND_SE, 2, 9, 5, false), Ulpdus.readRequest(1, SINK, 0, 30));
        send(Ulpdus.tagged(Opcode.RDMA_WRITE, SINK, 4, 0, true), Ulpdus.untagged(Opcode.SEND_SE, 2, 14, 0, true));
        send(Ulpdus.fetchAdd(2, 55), Ulpdus.immediate(3), Ulpdus.readRequest(3, SINK, 100, 0), Ulpdus.send(4));
        answer(Ulpdus.readResponse(SINK, 0, 10, 10, 10));
        answer(Ulpdus.atomicResponse(1, 55), Ulpdus.send(1));
        answer(Ulpdus.readResponse(0, 0, 0)); // of no octets: what its header says does not matter
        answer(Ulpdus.untagged(Opcode.TERMINATE, 1, 0, 4, true));

        assertThat(problems()).isEmpty();
    }

    @Test
    void aMessageThatIsLeftOutIsToldOnce() {
        send(Ulpdus.send(1), Ulpdus.send(3), Ulpdus.send(4), Ulpdus.immediate(4), Ulpdus.send(5));

        assertThat(problems())
                .containsExactly(
                        "2: MSN 3, expected 2 (RFC 5041 section 4.3)", "4: MSN 4, expected 5 (RFC 5041 section 4.3)");
    }

    @Test
    void eachQueueBeginsWithMessageOne() {
        send(Ulpdus.send(2), Ulpdus.readRequest(0, SINK, 0, 1), Ulpdus.untagged(Opcode.TERMINATE, -1, 0, 4, true));
        answer(Ulpdus.atomicResponse(7, 1));

        assertThat(problems())
                .containsExactly(
                        "1: MSN 2, expected 1 (RFC 5041 section 4.3)",
                        "2: MSN 0, expected 1 (RFC 5041 section 4.3)",
                        "3: MSN 4294967295, expected 1 (RFC 5041 section 4.3)",
                        "4: MSN 7, expected 1 (RFC 5041 section 4.3)",
                        "4: comes before the answer to the RDMA Read Request with MSN 0 (RFC 7306 section 7)");
    }

    @Test
    void segmentsOfAMessageThatDoNotFollowAreTold() {
        send(Ulpdus.untagged(Opcode.SEND, 1, 0, 8, false), Ulpdus.untagged(Opcode.SEND, 1, 12, 8, true));
        send(Ulpdus.untagged(Opcode.SEND, 2, 4, 8, true));
        send(Ulpdus.untagged(Opcode.SEND, 3, 0, 8, false), Ulpdus.untagged(Opcode.SEND_SE, 3, 8, 8, true));

        assertThat(problems())
                .containsExactly(
                        "2: MO 12, expected 8 (RFC 5041 section 5.2)",
                        "3: MO 4, expected 0 (RFC 5041 section 5.2)",
                        "5: the message began as Send (RFC 5040 section 4.1)");
    }

    @Test
    void aMessageWithoutALastSegmentIsTold() {
        send(Ulpdus.untagged(Opcode.SEND, 1, 0, 8, false), Ulpdus.send(2));
        send(Ulpdus.tagged(Opcode.RDMA_WRITE, SINK, 0, 8, false), Ulpdus.tagged(Opcode.RDMA_WRITE, SINK, 64, 8, true));

        assertThat(problems())
                .containsExactly(
                        "2: MSN 2, expected 1, whose last segment has not come (RFC 5041 section 4.3)",
                        "4: STag 0x00001000 TO 0x40, expected 0x00001000 and 0x8, where the message continues"
                                + " (RFC 5041 section 5.2)");
    }

    @Test
    void aMessageOfOneSegmentThatClaimsMoreIsToldOnce() {
        send(Ulpdus.untagged(Opcode.IMMEDIATE, 1, 8, 8, false), Ulpdus.send(2));

        assertThat(problems()).containsExactly("1: a message that always has one segment has several");
    }

    @Test
    void aReadResponseThatNobodyAskedForIsTold() {
        send(Ulpdus.readRequest(1, SINK, 0, 4));
        answer(Ulpdus.readResponse(SINK, 0, 4)).answer(Ulpdus.readResponse(SINK, 4, 4));

        assertThat(problems()).containsExactly("3: no RDMA Read Request is outstanding (RFC 5040 section 5.2.2)");
    }

    @Test
    void aReadResponseElsewhereIsTold() {
        send(Ulpdus.readRequest(1, SINK, 0x10, 4), Ulpdus.readRequest(2, OTHER_SINK, 0, 4));
        answer(Ulpdus.readResponse(OTHER_SINK, 0, 4)); // the other one first
        send(Ulpdus.readRequest(3, SINK, 0, 8));
        answer(Ulpdus.readResponse(SINK, 0, 8)); // goes on with the only one that it can belong to
        send(Ulpdus.readRequest(4, SINK, 0, 8)).answer(Ulpdus.readResponse(SINK, 4, 8));

        assertThat(problems())
                .containsExactly(
                        "3: STag 0x00002000 TO 0x0, expected 0x00001000 and 0x10 of the RDMA Read Request with MSN 1"
                                + " (RFC 5040 section 4.4)",
                        "7: STag 0x00001000 TO 0x4, expected 0x00001000 and 0x0 of the RDMA Read Request with MSN 4"
                                + " (RFC 5040 section 4.4)");
    }

    @Test
    void aReadResponseOfAnotherLengthIsTold() {
        send(Ulpdus.readRequest(1, SINK, 0, 8), Ulpdus.readRequest(2, SINK, 0, 8), Ulpdus.readRequest(3, SINK, 0, 8));
        send(Ulpdus.readRequest(4, SINK, 0, -1));
        answer(Ulpdus.readResponse(SINK, 0, 5, 2)).answer(Ulpdus.readResponse(SINK, 0, 5, 4));
        answer(Ulpdus.readResponse(SINK, 0, 8, 0)).answer(Ulpdus.readResponse(SINK, 0, 1));

        assertThat(problems())
                .containsExactly(
                        "6: the last segment, with 7 octets in all, although the RDMA Read Request with MSN 1 asks for 8"
                                + " (RFC 5040 section 5.2.2)",
                        "8: 9 octets until now, although the RDMA Read Request with MSN 2 asks for 8 (RFC 5040 section 5.2.2)",
                        "9: not the last segment, although all 8 octets of the RDMA Read Request with MSN 3 are there"
                                + " (RFC 5041 section 5.2)",
                        "11: the last segment, with 1 octets in all, although the RDMA Read Request with MSN 4 asks for"
                                + " 4294967295 (RFC 5040 section 5.2.2)");
    }

    @Test
    void anAtomicResponseThatFitsNoRequestIsTold() {
        send(Ulpdus.fetchAdd(1, 6));
        answer(Ulpdus.atomicResponse(1, 7), Ulpdus.atomicResponse(2, 6), Ulpdus.atomicResponse(3, 9));
        send(Ulpdus.fetchAdd(2, 8)).answer(Ulpdus.atomicResponse(4, 8));
        send(Ulpdus.fetchAdd(3, 9)).answer(Ulpdus.readResponse(SINK, 0, 1));

        assertThat(problems())
                .containsExactly(
                        "2: Original Request Identifier 0x00000007, expected 0x00000006 of the Atomic Request with MSN 1"
                                + " (RFC 7306 section 5.2.2)",
                        "4: no Atomic Request is outstanding (RFC 7306 section 5.2.2)",
                        "8: comes before the answer to the Atomic Request with MSN 3 (RFC 7306 section 7)");
    }

    @Test
    void whatIsSentBehindATerminateIsTold() {
        send(Ulpdus.untagged(Opcode.TERMINATE, 1, 0, 4, true), Ulpdus.send(1)).answer(Ulpdus.send(1));

        assertThat(problems()).containsExactly("2: is sent after a Terminate (RFC 5040 section 5.4)");
    }

    @Test
    void nothingIsSaidOfMessagesAcrossAGap() {
        send(Ulpdus.send(1), Ulpdus.untagged(Opcode.SEND, 2, 0, 8, false), Ulpdus.readRequest(1, SINK, 0, 8));
        send(Ulpdus.send(3), Ulpdus.readRequest(5, SINK, 0, 8), Ulpdus.untagged(Opcode.SEND, 9, 8, 8, true));
        send(Ulpdus.send(10), Ulpdus.send(12));
        capture.drop(-5); // the Send with MSN 3
        for (int i = 0; i < 40; i++) { // till nobody waits for it
            capture.acknowledge();
        }
        answer(Ulpdus.readResponse(OTHER_SINK, 8, 99)).answer(Ulpdus.readResponse(SINK, 8, 99));

        assertThat(problems()).containsExactly("7: MSN 12, expected 11 (RFC 5041 section 4.3)");
    }

    @Test
    void answersThatAreMissingDoNotMakeOthersWrong() {
        send(Ulpdus.readRequest(1, SINK, 0, 8), Ulpdus.readRequest(2, SINK, 8, 8), Ulpdus.fetchAdd(3, 3));
        send(Ulpdus.readRequest(4, SINK, 16, 8));
        answer(Ulpdus.readResponse(SINK, 0, 8)).answer(Ulpdus.send(1));
        capture.drop(-2);
        answer(Ulpdus.readResponse(SINK, 8, 4, 4)).answer(Ulpdus.atomicResponse(1, 3));
        answer(Ulpdus.readResponse(SINK, 16, 9));

        assertThat(problems())
                .containsExactly("9: 9 octets until now, although the RDMA Read Request with MSN 4 asks for 8"
                        + " (RFC 5040 section 5.2.2)");
    }

    @Test
    void answersThatWereCapturedBeforeTheirRequestsAreNotWrong() {
        send(Ulpdus.readRequest(1, SINK, 0, 8)).answer(Ulpdus.readResponse(SINK, 0, 8));
        capture.move(capture.size() - 2, capture.size() - 1);
        send(Ulpdus.readRequest(2, SINK, 8, 8)).answer(Ulpdus.readResponse(SINK, 8, 8));

        assertThat(problems()).isEmpty();
    }

    /** The answer to the first of two reads into one buffer comes early; the second read asks for less. */
    @Test
    void anEarlyAnswerUsesUpItsRequest() {
        send(Ulpdus.readRequest(1, SINK, 0, 4096)).answer(Ulpdus.readResponse(SINK, 0, 4096));
        capture.move(capture.size() - 2, capture.size() - 1);
        send(Ulpdus.readRequest(2, SINK, 0, 8)).answer(Ulpdus.readResponse(SINK, 0, 8));
        capture.move(capture.size() - 2, capture.size() - 1);
        send(Ulpdus.readRequest(3, OTHER_SINK, 0, 8)).answer(Ulpdus.readResponse(OTHER_SINK, 0, 8));
        send(Ulpdus.readRequest(4, SINK, 0, 8)).answer(Ulpdus.readResponse(SINK, 0, 7));

        assertThat(problems())
                .containsExactly(
                        "8: the last segment, with 7 octets in all, although the RDMA Read Request with MSN 4 asks"
                                + " for 8 (RFC 5040 section 5.2.2)");
    }

    @Test
    void anAnswerThatBeginsBeforeItsRequestIsJudgedByAllOfIt() {
        send(Ulpdus.readRequest(1, SINK, 0, 30)).answer(Ulpdus.readResponse(SINK, 0, 10, 10, 8));
        capture.move(capture.size() - 4, capture.size() - 2);
        send(Ulpdus.fetchAdd(2, 5)).answer(Ulpdus.atomicResponse(1, 6));

        assertThat(problems())
                .containsExactly(
                        "4: the last segment, with 28 octets in all, although the RDMA Read Request with MSN 1 asks for 30"
                                + " (RFC 5040 section 5.2.2)",
                        "6: Original Request Identifier 0x00000006, expected 0x00000005 of the Atomic Request with MSN 2"
                                + " (RFC 7306 section 5.2.2)");
    }

    /** Every atomic has the same identifier, as those of a requester that has one outstanding at a time. */
    @Test
    void earlyAnswersToAtomicsThatRepeatAnIdentifierAreCounted() {
        for (int i = 1; i <= 3; i++) {
            send(Ulpdus.fetchAdd(i, 1)).answer(Ulpdus.atomicResponse(i, 1));
            capture.move(capture.size() - 2, capture.size() - 1);
        }
        send(Ulpdus.fetchAdd(4, 2)).answer(Ulpdus.atomicResponse(4, 2));
        send(Ulpdus.readRequest(5, SINK, 0, 8)).answer(Ulpdus.atomicResponse(5, 2));

        assertThat(problems())
                .containsExactly(
                        "10: comes before the answer to the RDMA Read Request with MSN 5 (RFC 7306 section 7)");
    }

    /** Behind a gap among answers nobody knows how many came; an early one fits what was answered before. */
    @Test
    void anEarlyAnswerBehindAGapIsNotTakenForThatOfAnEarlierRequest() {
        send(Ulpdus.readRequest(1, SINK, 0, 4096))
                .answer(Ulpdus.readResponse(SINK, 0, 4096))
                .answer(Ulpdus.send(1));
        capture.drop(-2);
        send(Ulpdus.readRequest(2, SINK, 0, 8)).answer(Ulpdus.readResponse(SINK, 0, 8));
        capture.move(capture.size() - 2, capture.size() - 1);
        for (int i = 0; i < 40; i++) { // till nobody waits for the answer that is missing
            capture.acknowledge();
            capture.segment(true, capture.sequence(), capture.peerSequence(), CaptureBuilder.ACK, new byte[0]);
        }
        send(Ulpdus.readRequest(3, SINK, 0, 8)).answer(Ulpdus.readResponse(SINK, 0, 8));
        capture.move(capture.size() - 2, capture.size() - 1);
        send(Ulpdus.readRequest(4, OTHER_SINK, 0, 8)).answer(Ulpdus.readResponse(OTHER_SINK, 0, 7));

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("with 7 octets in all, although the RDMA Read Request with MSN 4 asks for 8");
    }

    /** The Reply comes last of all, with a request in its segment: answers waited for it and are taken up first. */
    @Test
    void answersThatWaitedForTheReplyAreCounted() {
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        reply.writeBytes(Fpdus.mpa(true, true, false));
        reply.writeBytes(Ulpdus.readRequest(1, SINK, 0, 4096));
        CaptureBuilder late = new CaptureBuilder().open().send(Fpdus.mpa(false, true, false));
        late.answer(reply.toByteArray()).send(Ulpdus.readResponse(SINK, 0, 4096)[0]);
        late.answer(Ulpdus.readRequest(2, SINK, 0, 4)).send(Ulpdus.readResponse(SINK, 0, 4)[0]);
        late.move(4, late.size() - 1);
        late.answer(Ulpdus.readRequest(3, SINK, 0, 4)).send(Ulpdus.readResponse(SINK, 0, 5)[0]);

        assertThat(Decoded.of(late.pcap()).problems())
                .containsExactly("5 octets until now, although the RDMA Read Request with MSN 3 asks for 4"
                        + " (RFC 5040 section 5.2.2)");
    }

    /** Whatever order the two directions were captured in, each of them in its own order: nothing is wrong. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void aCaptureThatIsOutOfOrderHasNoProblems(long seed) {
        Random random = new Random(seed);
        int atomics = 0;
        for (int i = 1; i <= 40; i++) {
            int length = 1 + random.nextInt(64);
            if (random.nextInt(3) == 0) {
                atomics++;
                send(Ulpdus.fetchAdd(i, i % 2));
                answer(Ulpdus.atomicResponse(atomics, i % 2));
            } else {
                send(Ulpdus.readRequest(i, SINK, 0, length));
                answer(Ulpdus.readResponse(SINK, 0, length / 2, length - length / 2));
            }
        }
        for (int i = 0; i < 60; i++) {
            int from = 5 + random.nextInt(capture.size() - 9);
            capture.move(from, from + 1 + random.nextInt(3));
        }

        assertThat(problems()).isEmpty();
    }

    @Test
    void aConnectionThatBeganBeforeTheCaptureIsTakenAsItIs() {
        CaptureBuilder later = new CaptureBuilder().send(Ulpdus.untagged(Opcode.SEND, 77, 4096, 8, true));
        later.send(Ulpdus.send(78)).send(Ulpdus.readRequest(9, SINK, 0, 8)).send(Ulpdus.send(80));
        later.answer(Ulpdus.send(5)).answer(Ulpdus.readResponse(OTHER_SINK, 0, 9)[0]);

        assertThat(Decoded.of(later.pcap()).problems()).containsExactly("MSN 80, expected 79 (RFC 5041 section 4.3)");
    }

    @Test
    void aSegmentWithABadCrcTellsNothingOfMessages() {
        byte[] damaged = Ulpdus.send(9);
        damaged[damaged.length - 1]++;
        send(Ulpdus.send(1), damaged, Ulpdus.send(3));

        assertThat(problems()).singleElement().asString().startsWith("2: the CRC is ");
    }

    @Test
    void aDraftsSwapWithoutCrcsDoesNotLoseTheFraming() {
        Fpdus fpdus = new Fpdus(false, false);
        for (int i = 1; i <= 4; i++) {
            byte[] swap = Ulpdus.fetchAdd(i, i);
            swap[2 + 18 + 3] = 1; // AOpCode
            fpdus.ulpdu(java.util.Arrays.copyOfRange(swap, 2, 2 + 70));
        }
        CaptureBuilder plain = new CaptureBuilder().open().send(Fpdus.mpa(false, false, false));
        Decoded decoded = Decoded.of(
                plain.answer(Fpdus.mpa(true, false, false)).send(fpdus.octets()).pcap());

        assertThat(decoded.fpdus(true))
                .hasSize(4)
                .allMatch(text -> text.contains("Swap (draft-ietf-storm-rdmap-ext-01)"));
        assertThat(decoded.notes()).isEmpty();
        assertThat(decoded.problems()).hasSize(4).allMatch(text -> text.startsWith("AOpCode 1 is not one of RFC 7306"));
    }
}
