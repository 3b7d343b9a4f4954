package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.testkit.Requirement;

/** Who may speak first between two streams. */
class PairOpeningTest {
    private final Pair pair = new Pair();
    private final Side a = pair.a;
    private final Side b = pair.b;

    @Test
    void responderStaysSilentUntilTheFirstFpdu() {
        Negotiated initiator = Negotiated.builder(true)
                .crc(true)
                .revision(1)
                .ird(4)
                .ord(4)
                .emss(Pair.EMSS)
                .build();
        pair.start(
                initiator,
                Negotiated.builder(false)
                        .crc(true)
                        .revision(1)
                        .ird(4)
                        .ord(4)
                        .emss(Pair.EMSS)
                        .build());
        Guarded fromB = b.memory(64);
        a.receive(50, a.memory(64), 0, 64);
        b.receive(60, b.memory(64), 0, 64);
        b.send(1, fromB, 0, 5);
        pair.settle();
        assertThat(pair.toA.writtenOctets()).isZero();
        assertThat(b.sends.list).isEmpty();
        a.send(2, a.memory(64), 0, 1);
        pair.settle();
        assertThat(b.sends.brief()).containsExactly("1 SEND");
        assertThat(a.receives.brief()).containsExactly("50 RECV");
        assertThat(b.events).containsOnlyOnce(StreamEvent.COMMUNICATION_ESTABLISHED);
        pair.disconnect();
    }

    @ParameterizedTest
    @CsvSource({"WRITE, 0", "READ, 1"})
    @Requirement({"ENH-1.1-01", "ENH-5-01", "ENH-9.2-10", "DDP-4.1-02"})
    void opensWithTheAgreedReadyToReceiveMessage(Rtr rtr, int opcode) {
        pair.toB.stallAt = 0;
        Negotiated agreed = Negotiated.builder(true)
                .crc(true)
                .rtr(rtr)
                .depths(1)
                .emss(Pair.EMSS)
                .build();
        a.stream.start(agreed, pair.now);
        a.send(1, a.memory(64), 0, 1);
        a.step(pair.now);
        List<Segments.Parsed> first = new Wiretap().take(pair.toB.drain());
        assertThat(first.getFirst().opcode()).isEqualTo(opcode);
        assertThat(first.getFirst().tagged()).isEqualTo(opcode == 0);
        assertThat(first.getFirst().last()).isTrue();
        if (opcode == 0) {
            assertThat(first.getFirst().payload()).isEmpty();
            assertThat(first.getFirst().stag()).isNotZero();
        } else {
            assertThat(first.getFirst().at(18 + 12)).isZero();
            assertThat(first.getFirst().at(18 + 16)).isNotZero();
        }
        assertThat(a.sends.list).noneMatch(wc -> wc.wrId() != 1);
    }

    @ParameterizedTest
    @CsvSource({"READ, true", "READ, false", "WRITE, true", "WRITE, false", "SEND, true", "SEND, false"})
    @Requirement("ENH-RTR-01")
    void readyToReceiveMessageIsInvisibleToBoth(Rtr rtr, boolean responderSpeaksFirst) {
        pair.start(
                Negotiated.builder(true)
                        .crc(true)
                        .rtr(rtr)
                        .depths(1)
                        .emss(Pair.EMSS)
                        .build(),
                Negotiated.builder(false)
                        .crc(true)
                        .rtr(rtr)
                        .depths(1)
                        .emss(Pair.EMSS)
                        .build());
        pair.settle();
        assertThat(b.events).as("it has come").containsOnlyOnce(StreamEvent.COMMUNICATION_ESTABLISHED);
        Side first = responderSpeaksFirst ? b : a;
        Side second = responderSpeaksFirst ? a : b;
        // One receive, posted after the ready-to-receive message: that has neither needed nor taken one.
        second.receive(50, second.memory(64), 0, 64);
        first.send(1, first.memory(64), 0, 1);
        Guarded cell = second.memory(64);
        first.fetchAdd(2, first.memory(64), 0, cell, 0, 1);
        pair.settle();
        assertThat(first.sends.brief()).containsExactly("1 SEND", "2 FETCH_ADD");
        assertThat(first.receives.list).isEmpty();
        assertThat(second.sends.list).isEmpty();
        assertThat(second.receives.brief()).containsExactly("50 RECV");
        assertThat(second.receives.last().byteCount()).isEqualTo(1);
        pair.disconnect();
    }

    // A second empty Send is the application's.
    @Test
    @Requirement("ENH-RTR-01")
    void onlyTheFirstSendIsTheReadyToReceiveMessage() {
        pair.start(
                Negotiated.builder(true)
                        .crc(true)
                        .rtr(Rtr.SEND)
                        .depths(1)
                        .emss(Pair.EMSS)
                        .build(),
                Negotiated.builder(false)
                        .crc(true)
                        .rtr(Rtr.SEND)
                        .depths(1)
                        .emss(Pair.EMSS)
                        .build());
        b.receives(2, 60, b.memory(128), 64);
        a.send(1, a.memory(64), 0, 0);
        a.send(2, a.memory(64), 0, 3);
        pair.settle();
        assertThat(b.receives.brief()).containsExactly("60 RECV", "61 RECV");
        assertThat(b.receives.last().byteCount()).isEqualTo(3);
        pair.disconnect();
    }
}
