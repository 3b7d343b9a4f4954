package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Inbox;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Patterns;

/** Immediate data, alone and behind an RDMA Write. */
public abstract class ImmediateConformance extends Conformance {
    /** What every device with immediate data carries: 32 bits without a sign, or an {@code int}. */
    private static final long[] VALUES_OF_4 = {0, 1, -1L, 0x8000_0000L, 0xFFFF_FFFFL, Integer.MIN_VALUE};

    private static final long[] VALUES_OF_8 = {0, 1, -1L, 0x0123_4567_89AB_CDEFL, Long.MIN_VALUE, 0x8000_0000L};

    /** For subclasses. */
    protected ImmediateConformance() {}

    @Test
    @Requirement({"EXT-6.1-01", "EXT-6.3-02", "EXT-6.3-05"})
    void standaloneImmediateArrivesInCompletionAndLeavesTheReceiveAlone() {
        ConnectedPair pair = pair(Feature.STANDALONE_IMMEDIATE);
        for (long value : values(pair)) {
            accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 64));
            accepted(pair.qpA().immediate(2, value, SIGNALED));

            Completion received = pair.b().inbox().takeOk(1);
            expectImmediate(pair, received, value);
            assertThat(received.opcode()).isEqualTo(WcOpcode.RECV_IMMEDIATE);
            assertThat(received.byteCount()).isZero();
            assertThat(received.hasInvalidatedRkey()).isFalse();
            assertThat(pair.b().get(0, 64)).containsOnly(0);
            pair.a().inbox().takeOk(2);
        }
    }

    @Test
    @Requirement("EXT-6.3-02")
    void standaloneImmediateFitsReceiveOfNoOctets() {
        ConnectedPair pair = pair(Feature.STANDALONE_IMMEDIATE);
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 0));
        accepted(pair.qpA().immediate(2, 77, SIGNALED));
        expectImmediate(pair, pair.b().inbox().takeOk(1), 77);
        pair.a().inbox().takeOk(2);
    }

    @Test
    @Requirement({"EXT-6.4-01", "EXT-7-02", "EXT-6.3-02"})
    void writeWithImmediateShowsTheWrittenData() {
        ConnectedPair pair = pair(Feature.WRITE_WITH_IMMEDIATE);
        long[] values = values(pair);
        for (int round = 0; round < 30; round++) {
            byte[] data = Patterns.bytes(round, 5000);
            pair.a().put(0, data);
            long value = values[round % values.length];
            accepted(pair.qpB().recv(round, pair.b().buffer(), 60_000, 64));
            accepted(pair.qpA()
                    .writeWithImmediate(
                            round, pair.a().buffer(), 0, 5000, pair.b().remote(), 7, value, SIGNALED));

            Completion received = pair.b().inbox().takeOk(round);
            expectImmediate(pair, received, value);
            assertThat(received.opcode()).isEqualTo(WcOpcode.RECV_IMMEDIATE);
            assertThat(pair.b().get(7, 5000)).isEqualTo(data);
            assertThat(pair.b().get(60_000, 64)).containsOnly(0);
            assertThat(pair.a().inbox().takeOk(round).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        }
        pair.a().inbox().expectNothing();
    }

    @Test
    @Requirement({"EXT-6.4-01", "RDMAP-5.1-08"})
    void emptyWriteWithImmediateStillDeliversIt() {
        ConnectedPair pair = pair(Feature.WRITE_WITH_IMMEDIATE);
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 64));
        accepted(pair.qpA()
                .writeWithImmediate(2, pair.a().buffer(), 0, 0, pair.b().remote(), 0, 42, SIGNALED));
        expectImmediate(pair, pair.b().inbox().takeOk(1), 42);
        pair.a().inbox().takeOk(2);
        assertThat(pair.b().get(0, 64)).containsOnly(0);
    }

    @Test
    @Requirement({"EXT-6.3-02", "EXT-6.3-03", "EXT-6.3-06"})
    void immediatesAndSendsArriveInPostingOrder() {
        ConnectedPair pair = pair(Feature.STANDALONE_IMMEDIATE, Feature.WRITE_WITH_IMMEDIATE);
        for (int i = 0; i < 60; i++) {
            accepted(pair.qpB().recv(i, pair.b().buffer(), 0, 8));
        }
        for (int i = 0; i < 60; i += 3) {
            accepted(pair.qpA().immediate(i, i, NONE));
            accepted(pair.qpA().send(i + 1, pair.a().buffer(), 0, 8, NONE));
            accepted(pair.qpA()
                    .writeWithImmediate(
                            i + 2, pair.a().buffer(), 0, 100, pair.b().remote(), 0, i + 2, i == 57 ? SIGNALED : NONE));
        }
        for (int i = 0; i < 60; i++) {
            Completion received = pair.b().inbox().takeOk(i);
            assertThat(received.hasImmediate()).as("message %d", i).isEqualTo(i % 3 != 1);
            assertThat(received.immediate()).isEqualTo(i % 3 == 1 ? 0 : i);
        }
        pair.a().inbox().takeOk(59);
        pair.a().inbox().expectNothing();
    }

    @Test
    @Requirement({"EXT-6.1-01", "RDMAP-5.3-06", "DRAFT01-6.1-01"})
    void onlySolicitedImmediateRaisesSolicitedEvent() {
        ConnectedPair pair = pair(Feature.STANDALONE_IMMEDIATE);
        CompletionChannel channel = resources().add(pair.b().verbs().completionChannel());
        CompletionQueue queue = pair.b().newQueue(CompletionQueueConfig.of(64).withChannel(channel));
        Inbox inbox = pair.b().watch(queue);
        Link link = pair.connect(
                pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config.withRecvCq(queue)));
        accepted(link.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(link.qpB().recv(2, pair.b().buffer(), 0, 8));
        queue.arm(true);
        accepted(link.qpA().immediate(3, 1, NONE));
        inbox.takeOk(1);
        assertThat(channel.await(Deadline.now())).isEmpty();

        accepted(link.qpA().immediate(4, 1, SOLICITED));
        poller().await(
                        "the solicited event",
                        () -> channel.await(Deadline.now()).isPresent());
        inbox.takeOk(2);
    }

    @Test
    @Requirement({"EXT-6.1-02", "EXT-6.3-02"})
    void immediateWithoutReceiveFailsTheConnection() {
        ConnectedPair pair = pair(Feature.STANDALONE_IMMEDIATE, Feature.NO_RECEIVER_RETRY);
        accepted(pair.qpA().immediate(1, 5, SIGNALED));
        pair.awaitDown();
        pair.expectTerminate("1/2/02");
        assertThat(pair.a().inbox().take().wrId()).isEqualTo(1);
    }

    @Test
    @ApiCase
    void refusesImmediateWhereTheDeviceHasNone() {
        ConnectedPair pair = pair();
        requires(
                !pair.a().capabilities().has(Feature.STANDALONE_IMMEDIATE),
                pair.a().verbs(),
                "has STANDALONE_IMMEDIATE");
        assertThatThrownBy(() -> pair.qpA().immediate(1, 5, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(pair.a().verbs().device().name());
        pair.barrier();
    }

    @Test
    @Needs(Feature.SEND_WITH_IMMEDIATE)
    void sendWithImmediateCarriesEachValue() {
        ConnectedPair pair = pair();
        for (long value : values(pair)) {
            accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 64));
            accepted(pair.qpA().sendWithImmediate(2, pair.a().buffer(), 0, 3, value, SIGNALED));
            Completion received = pair.b().inbox().takeOk(1);
            expectImmediate(pair, received, value);
            assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
            assertThat(received.byteCount()).isEqualTo(3);
            pair.a().inbox().takeOk(2);
        }
    }

    @Test
    @Needs(Feature.SEND_WITH_IMMEDIATE)
    void sendWithImmediateOfNoBytesIsImmediateDataOfItsOwn() {
        ConnectedPair pair = pair();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 64));
        accepted(pair.qpA().sendWithImmediate(2, pair.a().buffer(), 0, 0, 9, SIGNALED));
        Completion received = pair.b().inbox().takeOk(1);
        expectImmediate(pair, received, 9);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV_IMMEDIATE);
        pair.a().inbox().takeOk(2);
    }

    private static long[] values(ConnectedPair pair) {
        return pair.a().capabilities().immediateBytes() == Long.BYTES ? VALUES_OF_8 : VALUES_OF_4;
    }

    private static void expectImmediate(ConnectedPair pair, Completion received, long value) {
        int octets = Math.min(
                pair.a().capabilities().immediateBytes(),
                pair.b().capabilities().immediateBytes());
        long expected = octets == Long.BYTES ? value : value & 0xFFFF_FFFFL;
        assertThat(received.hasImmediate()).as("%s", received).isTrue();
        assertThat(received.immediate()).isEqualTo(expected);
        assertThat(received.opcode()).isIn(WcOpcode.RECV, WcOpcode.RECV_IMMEDIATE);
        assertThat(received.qpNumber()).isEqualTo(pair.qpB().number());
    }
}
