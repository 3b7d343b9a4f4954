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
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Inbox;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Requirement;

/** Send with Solicited Event, with Invalidate, with both, and with immediate data. */
public abstract class SendVariantsConformance extends Conformance {
    /** For subclasses. */
    protected SendVariantsConformance() {}

    @Test
    @Requirement({"RDMAP-5.3-06", "DDP-5.4-03"})
    void onlySolicitedSendRaisesEventWhenArmedForSolicited() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.SOLICITED_EVENTS);
        Solicited side = new Solicited(pair);
        side.queue.arm(true);
        side.send(0, NONE);
        side.inbox.takeOk(0);
        assertThat(side.channel.await(Deadline.now())).isEmpty();

        side.send(1, SOLICITED);
        poller().await(
                        "the solicited event",
                        () -> side.channel.await(Deadline.now()).isPresent());
        side.inbox.takeOk(1);
    }

    @Test
    @Requirement("RDMAP-5.3-06")
    void everySendRaisesEventWhenArmedForAny() {
        ConnectedPair pair = pair();
        Solicited side = new Solicited(pair);
        side.queue.arm(false);
        side.send(0, NONE);
        poller().await("the event", () -> side.channel.await(Deadline.now()).isPresent());
        side.inbox.takeOk(0);
    }

    @Test
    @Needs({Feature.SEND_WITH_INVALIDATE, Feature.MEMORY_WINDOW_TYPE_2})
    @Requirement({"RDMAP-3.2-02", "RDMAP-5.3-12", "RDMAP-5.3-14", "DDP-5.4-03"})
    void sendWithInvalidateNamesTheInvalidatedWindow() {
        invalidates(NONE, this::byRkey);
    }

    @Test
    @Needs({Feature.SEND_WITH_INVALIDATE, Feature.MEMORY_WINDOW_TYPE_2})
    @Requirement({"RDMAP-3.2-02", "RDMAP-5.3-06", "RDMAP-5.3-12", "RDMAP-5.3-14"})
    void solicitedSendWithInvalidateDoesBoth() {
        invalidates(SOLICITED, this::byRkey);
    }

    @Test
    @Needs({Feature.SEND_WITH_INVALIDATE, Feature.MEMORY_WINDOW_TYPE_2})
    void sendWithInvalidateGathers() {
        invalidates(
                NONE,
                (pair, rkey, flags) -> pair.qpA()
                        .sendWithInvalidate(3, SgList.ofCapacity(1).add(pair.a().buffer(), 0, 2), rkey, flags));
    }

    @Test
    @Needs(Feature.SEND_WITH_IMMEDIATE)
    void sendWithImmediateCarriesBothInOneMessage() {
        ConnectedPair pair = pair();
        pair.a().put(0, new byte[] {1, 2, 3});
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().sendWithImmediate(2, pair.a().buffer(), 0, 3, 0x1234_5678L, SIGNALED));

        Completion received = pair.b().inbox().takeOk(1);
        assertThat(received.byteCount()).isEqualTo(3);
        assertThat(received.hasImmediate()).isTrue();
        assertThat(received.immediate()).isEqualTo(0x1234_5678L);
        assertThat(pair.b().get(0, 3)).containsExactly(1, 2, 3);
        pair.a().inbox().takeOk(2);
    }

    @Test
    @ApiCase
    void refusesSendWithImmediateWhereTheDeviceHasNone() {
        ConnectedPair pair = pair();
        requires(!pair.a().capabilities().sendWithImmediate(), pair.a().verbs(), "has SEND_WITH_IMMEDIATE");
        assertThatThrownBy(() -> pair.qpA().sendWithImmediate(2, pair.a().buffer(), 0, 3, 1, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(pair.a().verbs().device().name());
        pair.barrier();
    }

    /** One of the forms of Send with Invalidate, request 3 of 2 bytes. */
    @FunctionalInterface
    private interface Form {
        int post(ConnectedPair pair, int rkey, int flags);
    }

    private int byRkey(ConnectedPair pair, int rkey, int flags) {
        return pair.qpA().sendWithInvalidate(3, pair.a().buffer(), 0, 2, rkey, flags);
    }

    private void invalidates(int flags, Form form) {
        ConnectedPair pair = pair();
        MemoryWindow window = resources().add(pair.b().domain().memoryWindow(MemoryWindow.Type.TYPE_2));
        accepted(pair.qpB().bind(1, window, pair.b().buffer(), 0, 64, SIGNALED, Access.REMOTE_WRITE));
        pair.b().inbox().takeOk(1);
        accepted(pair.qpB().recv(2, pair.b().buffer(), 100, 16));
        pair.a().put(0, new byte[] {4, 5});
        accepted(form.post(pair, window.rkey(), SIGNALED | flags));

        Completion received = pair.b().inbox().takeOk(2);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.byteCount()).isEqualTo(2);
        assertThat(received.hasInvalidatedRkey()).isTrue();
        assertThat(received.invalidatedRkey()).isEqualTo(window.rkey());
        assertThat(pair.b().get(100, 2)).containsExactly(4, 5);
        assertThat(pair.a().inbox().takeOk(3).opcode()).isEqualTo(WcOpcode.SEND);
    }

    /** A second connection whose receives at B complete in a queue with a channel. */
    private final class Solicited {
        final ConnectedPair pair;
        final CompletionChannel channel;
        final CompletionQueue queue;
        final Inbox inbox;
        final Link link;

        Solicited(ConnectedPair pair) {
            this.pair = pair;
            channel = resources().add(pair.b().verbs().completionChannel());
            queue = pair.b().newQueue(CompletionQueueConfig.of(64).withChannel(channel));
            inbox = pair.b().watch(queue);
            link = pair.connect(
                    pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config.withRecvCq(queue)));
        }

        void send(long wrId, int flags) {
            accepted(link.qpB().recv(wrId, pair.b().buffer(), 0, 8));
            accepted(link.qpA().send(wrId, pair.a().buffer(), 0, 8, SIGNALED | flags));
            pair.a().inbox().takeOk(wrId);
        }
    }
}
