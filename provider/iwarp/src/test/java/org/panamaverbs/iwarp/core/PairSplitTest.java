package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.testkit.Requirement;

/** However TCP cuts the octets, the result is the same; whatever breaks, it ends in order. */
class PairSplitTest {
    /** Small, so that messages need several segments. */
    private static final int EMSS = 200;

    @Test
    @Requirement({
        "DDP-3-11-01",
        "MPA-3-07",
        "MPA-5.1-04",
        "MPA-5.2-01",
        "MPA-6-02",
        "MPA-6-03",
        "DDP-3-4-01",
        "MPA-4.3-10"
    })
    void everySplitOfTheInputGivesTheSameResult() {
        long octets = octetsOfAConversation(Splitter.WHOLE);
        for (long cut = 0; cut <= octets; cut++) {
            converse(new Pair().split(Splitter.WHOLE, Splitter.at(cut)), false);
        }
    }

    // Segments of this size are received where they belong, not through the staging buffer.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement({"MPA-4.3-10", "MPA-4.3-11", "MPA-4.4-10", "MPA-5.1-04", "MPA-6-01", "MPA-6-03"})
    void everySplitOfWhatIsReceivedInPlaceGivesTheSameResult(boolean markers) {
        int length = 3 * FpduReceiver.DIRECT_BYTES;
        for (long cut = 0; cut <= 2L * (length + 40); cut++) {
            Pair pair = new Pair().split(Splitter.WHOLE, Splitter.at(cut));
            pair.start(
                    Negotiated.builder(true)
                            .crc(true)
                            .markersIn(markers)
                            .markersOut(markers)
                            .depths(4)
                            .emss(Pair.EMSS)
                            .build(),
                    Negotiated.builder(false)
                            .crc(true)
                            .markersIn(markers)
                            .markersOut(markers)
                            .depths(4)
                            .emss(Pair.EMSS)
                            .build());
            Guarded from = pair.a.memory(length).pattern(1);
            Guarded to = pair.b.memory(length);
            Guarded inbox = pair.b.memory(length);
            pair.b.receive(1, inbox, 0, length);
            pair.a.write(1, from, 0, length, to, 0);
            pair.a.send(2, from, 0, length);
            pair.settle();
            assertThat(pair.b.receives.brief()).as("cut at %d", cut).containsExactly("1 RECV");
            assertThat(to.bytes()).as("cut at %d", cut).isEqualTo(from.bytes());
            assertThat(inbox.bytes()).as("cut at %d", cut).isEqualTo(from.bytes());
            pair.disconnect();
        }
    }

    @Test
    void everyPartialWriteGivesTheSameResult() {
        long octets = octetsOfAConversation(Splitter.WHOLE);
        for (long cut = 0; cut <= octets; cut++) {
            converse(new Pair().split(Splitter.at(cut), Splitter.WHOLE), false);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneOctetAtATimeGivesTheSameResult(boolean markers) {
        converse(new Pair().split(Splitter.ONE, Splitter.WHOLE), markers);
        converse(new Pair().split(Splitter.WHOLE, Splitter.ONE), markers);
        converse(new Pair().split(Splitter.ONE, Splitter.ONE), markers);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void randomSizesGiveTheSameResult(boolean markers) {
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int most = 1 << (1 + random.nextInt(11));
            converse(new Pair().split(Splitter.random(random, most), Splitter.random(random, most)), markers);
        }
    }

    @Test
    @Requirement({"MPA-4.3-06", "MPA-4.3-10", "MPA-4.3-11", "MPA-4.4-09"})
    void markersSurviveEverySplit() {
        for (long cut = 0; cut <= 3_000; cut += 3) {
            converse(new Pair().split(Splitter.WHOLE, Splitter.at(cut)), true);
        }
    }

    @Test
    void aFullSocketDelaysButChangesNothing() {
        Pair pair = new Pair().start();
        Conversation conversation = new Conversation(pair);
        pair.toA.window = 100;
        pair.toB.window = 37;
        conversation.post();
        pair.settle();
        conversation.check();
        pair.disconnect();
    }

    @ParameterizedTest
    @CsvSource({"0x01", "0x80"})
    @Requirement({"DDP-3-3-01", "DDP-3-6-01", "MPA-4.4-10", "MPA-6-01"})
    void aFlippedBitAnywhereNeverDeliversAWrongMessage(int mask) {
        int messages = 6;
        for (int at = 20; at < 20 + messages * 88; at++) {
            Pair pair = new Pair().start();
            Guarded from = pair.a.memory(64 * messages).pattern(1);
            Guarded to = pair.b.memory(64 * messages);
            pair.b.receives(messages, 0, to, 64);
            pair.toB.flipAt = at;
            pair.toB.flipMask = mask;
            for (int i = 0; i < messages; i++) {
                pair.a.send(i, from, 64L * i, 64);
            }
            pair.settle();
            if (pair.b.stream.fault() != null) {
                assertThat(pair.b.stream.fault().code()).as("flip at %d", at).isEqualTo(TerminateCode.MPA_CRC);
            }
            int delivered = 0;
            for (Wc wc : pair.b.receives.list) {
                if (wc.ok()) {
                    assertThat(wc.wrId()).isEqualTo(delivered);
                    assertThat(to.bytes(64L * delivered, 64)).isEqualTo(from.bytes(64L * delivered, 64));
                    delivered++;
                }
            }
            assertThat(delivered).as("flip at %d", at).isLessThan(messages);
            pair.a.stream.abort();
            pair.elapse();
            assertThat(pair.b.receives.list).hasSize(messages);
            assertThat(pair.b.receives.list.subList(delivered, messages)).noneMatch(Wc::ok);
            pair.assertGuards();
        }
    }

    @Test
    @Requirement({"DDP-7-01", "MPA-8-2-01", "DDP-6.2.2-01"})
    void aFlippedPayloadBitIsReportedAsCrcError() {
        Pair pair = new Pair().start();
        pair.b.receive(1, pair.b.memory(512), 0, 512);
        pair.toB.flipAt = 20 + 2 + 18 + 3;
        pair.a.send(1, pair.a.memory(512), 0, 400);
        pair.a.send(2, pair.a.memory(512), 0, 400);
        pair.elapse();
        assertThat(pair.b.cause()).startsWith("2/0/02").contains("here");
        assertThat(pair.a.cause()).startsWith("2/0/02").contains("by the peer");
        assertThat(pair.a.closed && pair.b.closed).isTrue();
        assertThat(pair.b.receives.list).hasSize(1).noneMatch(Wc::ok);
    }

    @Test
    @Requirement({"DDP-3-3-01", "RDMAP-6.2.1-02", "DDP-6.2.2-02"})
    void anEarlyFinAnywhereFlushesTheRest() {
        atEveryOffset((pipe, at) -> pipe.truncateAt = at);
    }

    @Test
    @Requirement({"DDP-3-3-01", "RDMAP-6.2.1-02", "DDP-6.2.2-02"})
    void aResetAnywhereFlushesTheRest() {
        atEveryOffset((pipe, at) -> pipe.resetAt = at);
    }

    @Test
    @Requirement("DDP-6.2.2-02")
    void aStallAnywhereEndsByAbort() {
        atEveryOffset((pipe, at) -> pipe.stallAt = at);
    }

    private interface Breakage {
        void apply(Pipe pipe, long at);
    }

    private static void atEveryOffset(Breakage breakage) {
        for (int at = 20; at < 400; at++) {
            Pair pair = new Pair().start();
            Guarded from = pair.a.memory(256).pattern(1);
            Guarded sink = pair.a.memory(256);
            Guarded to = pair.b.memory(256).pattern(2);
            Guarded inbox = pair.b.memory(256);
            pair.b.receives(4, 10, inbox, 64);
            breakage.apply(pair.toB, at);
            pair.a.send(1, from, 0, 40);
            pair.a.read(2, sink, 0, 60, to, 0);
            pair.a.write(3, from, 40, 50, to, 100);
            pair.a.stream.sends().post(SendOpcode.SEND, 4, from.base, 5, from.stag(), 0, 0, 0, 0);
            pair.a.fetchAdd(5, sink, 64, to, 200, 1);
            pair.a.send(6, from, 0, 64);
            pair.settle();
            pair.a.stream.abort();
            pair.elapse();
            if (!pair.b.closed) {
                pair.b.stream.abort();
                pair.elapse();
            }
            List<Long> ids = pair.a.sends.ids();
            assertThat(ids.stream().filter(id -> id != 4).toList())
                    .as("broken at %d", at)
                    .containsExactly(1L, 2L, 3L, 5L, 6L);
            assertThat(ids).isSorted();
            assertThat(pair.b.receives.ids()).as("broken at %d", at).containsExactly(10L, 11L, 12L, 13L);
            boolean failed = false;
            for (Wc wc : pair.a.sends.list) {
                assertThat(wc.ok() && failed)
                        .as("success behind a failure, broken at %d", at)
                        .isFalse();
                failed |= !wc.ok();
            }
            pair.assertGuards();
        }
    }

    private static long octetsOfAConversation(Splitter reading) {
        Pair pair = new Pair().split(Splitter.WHOLE, reading);
        converse(pair, false);
        return Math.max(pair.toA.writtenOctets(), pair.toB.writtenOctets());
    }

    private static void converse(Pair pair, boolean markers) {
        pair.start(
                Negotiated.builder(true)
                        .crc(true)
                        .markersIn(markers)
                        .markersOut(markers)
                        .rtr(Rtr.WRITE)
                        .depths(16)
                        .emss(EMSS)
                        .build(),
                Negotiated.builder(false)
                        .crc(true)
                        .markersIn(markers)
                        .markersOut(markers)
                        .rtr(Rtr.WRITE)
                        .depths(16)
                        .emss(EMSS)
                        .build());
        Conversation conversation = new Conversation(pair);
        conversation.post();
        pair.settle();
        conversation.check();
        pair.disconnect();
    }

    @Test
    @Requirement("RDMAP-5.5-12-02")
    void memoryReadWhileALaterWriteChangesItKeepsTheStreamAlive() {
        for (int window : new int[] {20, 100, 500, 1000, 3000}) {
            Pair pair = new Pair().start();
            Guarded sink = pair.a.memory(8192);
            Guarded source = pair.a.memory(8192).pattern(3);
            Guarded remote = pair.b.memory(8192);
            pair.toA.window = window;
            pair.toA.stallAt = pair.toA.readOctets();
            pair.a.read(1, sink, 0, 8192, remote, 0);
            pair.a.write(2, source, 0, 8192, remote, 0);
            pair.a.stream.sends().post(SendOpcode.SEND, 3, 0, 0, 0, 0, 0, 0, SendFlag.SIGNALED);
            pair.b.receive(9, pair.b.memory(8), 0, 8);
            pair.settle();
            // The application may change it at any time as well.
            remote.pattern(11);
            pair.toA.stallAt = Pipe.NEVER;
            pair.settle();
            assertThat(pair.a.sends.brief())
                    .as("window %d", window)
                    .containsExactly("1 RDMA_READ", "2 RDMA_WRITE", "3 SEND");
            pair.disconnect();
        }
    }
}
