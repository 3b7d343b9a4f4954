package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Patterns;

/** Sends and receives of every size and shape. */
public abstract class SendReceiveConformance extends Conformance {
    /** For subclasses. */
    protected SendReceiveConformance() {}

    @Test
    @Requirement({"RDMAP-3.1-04", "RDMAP-3.2-02", "RDMAP-5.3-03", "DDP-5.4-02"})
    void deliversShortMessageIntoLongerReceive() {
        ConnectedPair pair = pair();
        byte[] message = Patterns.bytes(1, 100);
        pair.a().put(8, message);
        accepted(pair.qpB().recv(7, pair.b().buffer(), 64, 200));
        accepted(pair.qpA().send(9, pair.a().buffer(), 8, 100, SIGNALED));

        Completion received = pair.b().inbox().takeOk(7);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.byteCount()).isEqualTo(100);
        assertThat(received.qpNumber()).isEqualTo(pair.qpB().number());
        assertThat(received.hasImmediate()).isFalse();
        assertThat(received.hasInvalidatedRkey()).isFalse();
        assertThat(pair.b().get(64, 100)).isEqualTo(message);
        assertThat(pair.b().get(0, 64)).containsOnly(0);
        assertThat(pair.b().get(164, 100)).containsOnly(0);

        Completion sent = pair.a().inbox().takeOk(9);
        assertThat(sent.opcode()).isEqualTo(WcOpcode.SEND);
        assertThat(sent.byteCount()).isZero();
        assertThat(sent.qpNumber()).isEqualTo(pair.qpA().number());
    }

    @Test
    void messagesOfConnectionsNameNoSourceQueuePair() {
        ConnectedPair pair = pair();
        for (int i = 0; i < 3; i++) {
            accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 16));
            accepted(pair.qpA().send(2, pair.a().buffer(), 0, 16, SIGNALED));
            assertThat(pair.b().inbox().takeOk(1).sourceQpNumber()).isZero();
            assertThat(pair.a().inbox().takeOk(2).sourceQpNumber()).isZero();
        }
    }

    @Test
    @Requirement({"RDMAP-5.3-02", "DDP-5.2-03", "DDP-5.2-04"})
    void deliversMessagesOfManySizesIntoReceivesThatJustFit() {
        ConnectedPair pair = pair();
        for (int size : new int[] {1, 2, 3, 4, 7, 8, 63, 64, 65, 511, 512, 513, 1447, 1448, 4095, 16_384, 30_001}) {
            byte[] message = Patterns.bytes(size, size);
            pair.a().put(0, message);
            accepted(pair.qpB().recv(size, pair.b().buffer(), 1, size));
            accepted(pair.qpA().send(size, pair.a().buffer(), 0, size, SIGNALED));

            assertThat(pair.b().inbox().takeOk(size).byteCount()).isEqualTo(size);
            assertThat(pair.b().get(1, size)).isEqualTo(message);
            pair.a().inbox().takeOk(size);
        }
    }

    @Test
    @Requirement({"RDMAP-5.3-10", "RDMAP-5.3-11", "DDP-5.2-08"})
    void emptyMessageConsumesOneReceive() {
        ConnectedPair pair = pair();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 16));
        accepted(pair.qpB().recv(2, pair.b().buffer(), 16, 16));
        accepted(pair.qpA().send(3, pair.a().buffer(), 0, 0, SIGNALED));
        pair.a().put(0, new byte[] {1, 2, 3});
        accepted(pair.qpA().send(4, pair.a().buffer(), 0, 3, SIGNALED));

        assertThat(pair.b().inbox().takeOk(1).byteCount()).isZero();
        assertThat(pair.b().inbox().takeOk(2).byteCount()).isEqualTo(3);
        assertThat(pair.b().get(0, 16)).containsOnly(0);
        assertThat(pair.b().get(16, 3)).containsExactly(1, 2, 3);
        pair.a().inbox().takeAllOk(3, 4);
    }

    @Test
    @Requirement({"RDMAP-5.3-10", "RDMAP-5.3-11"})
    void emptyMessageFitsReceiveWithoutBuffers() {
        ConnectedPair pair = pair();
        accepted(pair.qpB().recv(1, SgList.ofCapacity(1)));
        accepted(pair.qpA().send(2, SgList.ofCapacity(1), SIGNALED));

        assertThat(pair.b().inbox().takeOk(1).byteCount()).isZero();
        pair.a().inbox().takeOk(2);
    }

    @Test
    void gathersAndScattersPieces() {
        ConnectedPair pair = pair();
        int pieces =
                Math.min(pair.qpA().config().maxSendSge(), pair.qpB().config().maxRecvSge());
        requires(pieces >= 3, pair.a().verbs(), "takes only " + pieces + " pieces a work request");
        byte[] message = Patterns.bytes(2, 1000);
        pair.a().put(0, message);
        SgList from = SgList.ofCapacity(3)
                .add(pair.a().buffer(), 0, 1)
                .add(pair.a().buffer(), 1, 332)
                .add(pair.a().buffer(), 333, 667);
        SgList into = SgList.ofCapacity(3)
                .add(pair.b().buffer(), 5000, 500)
                .add(pair.b().buffer(), 3, 499)
                .add(pair.b().buffer(), 2000, 100);
        accepted(pair.qpB().postRecv(1, into));
        accepted(pair.qpA().send(2, from, SIGNALED));
        into.clear();
        from.clear();

        assertThat(pair.b().inbox().takeOk(1).byteCount()).isEqualTo(1000);
        assertThat(pair.b().get(5000, 500)).isEqualTo(java.util.Arrays.copyOfRange(message, 0, 500));
        assertThat(pair.b().get(3, 499)).isEqualTo(java.util.Arrays.copyOfRange(message, 500, 999));
        assertThat(pair.b().get(2000, 1)).containsExactly(message[999]);
        assertThat(pair.b().get(2001, 99)).containsOnly(0);
        pair.a().inbox().takeOk(2);
    }

    @Test
    @Requirement({"DDP-5.2-03", "DDP-5.2-04", "DDP-5.4-01", "RDMAP-3.1-04"})
    void deliversMessageOfManySegments() {
        int size = 4 * 1024 * 1024 + 3;
        ConnectedPair pair = pair(PairConfig.defaults().withBuffers(size));
        requires(pair.a().capabilities().maxMessageBytes() >= size, pair.a().verbs(), "carries no 4 MiB messages");
        byte[] message = Patterns.bytes(3, size);
        pair.a().put(0, message);
        accepted(pair.qpB().recv(1, pair.b().buffer()));
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, size, SIGNALED));

        assertThat(pair.b().inbox().takeOk(1).byteCount()).isEqualTo(size);
        assertThat(pair.b().get(0, size)).isEqualTo(message);
        pair.a().inbox().takeOk(2);
    }

    @Test
    @Requirement({"RDMAP-5.3-05", "RDMAP-5.3-09", "RDMAP-5.5-10-01", "DDP-5.3-05", "DDP-5.3-06", "DDP-4.1-06"})
    void deliversMessagesInOrderEachOnce() {
        ConnectedPair pair = pair();
        int count = 64;
        for (int i = 0; i < count; i++) {
            accepted(pair.qpB().recv(i, pair.b().buffer(), i * 16L, 16));
        }
        for (int i = 0; i < count; i++) {
            pair.a().putLong(i * 8L, i);
            accepted(pair.qpA().send(i, pair.a().buffer(), i * 8L, 1 + i % 8, i == count - 1 ? SIGNALED : NONE));
        }

        for (int i = 0; i < count; i++) {
            assertThat(pair.b().inbox().takeOk(i).byteCount()).isEqualTo(1 + i % 8);
            assertThat(pair.b().get(i * 16L, 1)).containsExactly(i);
        }
        pair.a().inbox().takeOk(count - 1);
        pair.b().inbox().expectNothing();
    }

    @Test
    void reportsOnlySignaledSends() {
        ConnectedPair pair = pair();
        for (int i = 0; i < 12; i++) {
            accepted(pair.qpB().recv(i, pair.b().buffer(), 0, 8));
            accepted(pair.qpA().send(i, pair.a().buffer(), 0, 8, i % 4 == 3 ? SIGNALED : NONE));
        }

        pair.a().inbox().takeAllOk(3, 7, 11);
        pair.b().inbox().take(12);
        pair.a().inbox().expectNothing();
    }

    @Test
    void reportsEverySendOfQueuePairThatSignalsAll() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withSignalAll(true)));
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpB().recv(2, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().send(3, pair.a().buffer(), 0, 8, NONE));
        accepted(pair.qpA().send(4, pair.a().buffer(), 0, 8, NONE));

        pair.a().inbox().takeAllOk(3, 4);
        pair.b().inbox().takeAllOk(1, 2);
    }

    @Test
    void inlineDataIsCopiedByThePost() {
        ConnectedPair pair = pair();
        int size = pair.qpA().config().maxInlineBytes();
        requires(size > 0, pair.a().verbs(), "has no inline data");
        byte[] onHeap = Patterns.bytes(4, size + 2);
        byte[] expected = java.util.Arrays.copyOfRange(onHeap, 2, size + 2);
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, size));
        accepted(pair.qpA().sendInline(2, MemorySegment.ofArray(onHeap), 2, size, SIGNALED));
        java.util.Arrays.fill(onHeap, (byte) 0);

        assertThat(pair.b().inbox().takeOk(1).byteCount()).isEqualTo(size);
        assertThat(pair.b().get(0, size)).isEqualTo(expected);
        pair.a().inbox().takeOk(2);
    }

    @Test
    void carriesBothDirectionsAtOnce() {
        ConnectedPair pair = pair();
        for (int i = 0; i < 32; i++) {
            accepted(pair.qpA().recv(100 + i, pair.a().buffer(), 1000 + i, 1));
            accepted(pair.qpB().recv(100 + i, pair.b().buffer(), 1000 + i, 1));
        }
        for (int i = 0; i < 32; i++) {
            pair.a().put(i, new byte[] {(byte) i});
            pair.b().put(i, new byte[] {(byte) (64 + i)});
            accepted(pair.qpA().send(i, pair.a().buffer(), i, 1, NONE));
            accepted(pair.qpB().send(i, pair.b().buffer(), i, 1, NONE));
        }

        List<Completion> atA = pair.a().inbox().take(32);
        List<Completion> atB = pair.b().inbox().take(32);
        for (int i = 0; i < 32; i++) {
            assertThat(atA.get(i).wrId()).isEqualTo(100 + i);
            assertThat(atB.get(i).wrId()).isEqualTo(100 + i);
            assertThat(pair.a().get(1000 + i, 1)).containsExactly(64 + i);
            assertThat(pair.b().get(1000 + i, 1)).containsExactly(i);
        }
    }

    @Test
    void separateQueuesForSendsAndReceives() {
        ConnectedPair pair = pair();
        var receives = pair.b().newQueue(64);
        var inbox = pair.b().watch(receives);
        var qpB = pair.b().newQueuePair(config -> config.withRecvCq(receives));
        var link = pair.connect(pair.a().newQueuePair(config -> config), qpB);
        accepted(link.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(link.qpA().send(2, pair.a().buffer(), 0, 8, SIGNALED));

        inbox.takeOk(1);
        pair.a().inbox().takeOk(2);
        pair.b().inbox().expectNothing();
    }
}
