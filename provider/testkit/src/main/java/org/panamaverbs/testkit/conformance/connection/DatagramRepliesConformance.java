package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.GrhView;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.DatagramListener;
import org.panamaverbs.api.cm.DatagramPeer;
import org.panamaverbs.api.cm.DatagramRequest;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.spi.support.CompletionWriter;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.process.Allocation;
import org.panamaverbs.testkit.random.Patterns;

/** Datagrams that are answered by what came with them, by who has never asked where the peer is. */
public abstract class DatagramRepliesConformance extends Conformance {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    private static final int OPERATIONS = Integer.getInteger("verbs.test.operations", 10_000);
    private static final int ROUNDS = Integer.getInteger("verbs.test.rounds", 12);
    // In each side's buffer: what it sends, and where it receives.
    private static final int SENT_AT = 0;
    private static final int RECEIVED_AT = 8192;
    private static final int BYTES = 64;

    /** For subclasses. */
    protected DatagramRepliesConformance() {}

    /** Side A has asked for side B, which waits for what comes. */
    private static final class Sides {
        final Endpoint a;
        final Endpoint b;
        final QueuePair qpA;
        final QueuePair qpB;
        final DatagramPeer toB;
        final WorkCompletions completionsA = WorkCompletions.ofCapacity(4);
        final WorkCompletions completionsB = WorkCompletions.ofCapacity(4);
        final SgList fromA;
        final SgList fromB;
        final WorkRequest request = WorkRequest.of(SendOpcode.SEND);

        Sides(Endpoint a, Endpoint b, QueuePair qpA, QueuePair qpB, DatagramPeer toB) {
            this.a = a;
            this.b = b;
            this.qpA = qpA;
            this.qpB = qpB;
            this.toB = toB;
            fromA = SgList.ofCapacity(1).add(a.buffer(), SENT_AT, BYTES);
            fromB = SgList.ofCapacity(1).add(b.buffer(), SENT_AT, BYTES);
        }

        void receive(Endpoint side, QueuePair queuePair) {
            require(queuePair.recv(1, side.buffer(), RECEIVED_AT, GrhView.BYTES + BYTES) >= 0);
        }

        void ask() {
            require(qpA.postDatagram(SendOpcode.SEND, 2, fromA, toB, 0, SIGNALED) >= 0);
        }

        void answer(AddressHandle to, int qpNumber) {
            require(qpB.post(request.opcode(SendOpcode.SEND)
                            .wrId(2)
                            .local(fromB)
                            .destination(to, qpNumber, toB.qkey())
                            .flags(SIGNALED))
                    >= 0);
        }

        /** Returns the completion of the datagram that side B gets; the one before is over. */
        WorkCompletion askedB(Deadline deadline) {
            receive(b, qpB);
            ask();
            require(take(a.queue(), completionsA, deadline).wrId() == 2);
            return take(b.queue(), completionsB, deadline);
        }

        static WorkCompletion take(CompletionQueue queue, WorkCompletions into, Deadline deadline) {
            int count = 0;
            for (int spins = 1; count == 0; spins++) {
                count = queue.poll(into);
                if (count == 0 && (spins & 0xFFF) == 0) {
                    require(!deadline.passed());
                    Thread.yield();
                }
            }
            require(count == 1 && into.get(0).ok());
            return into.get(0);
        }

        static void require(boolean condition) {
            if (!condition) {
                throw new AssertionError("an operation failed, was refused or did not complete in time");
            }
        }
    }

    private Sides sides() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair qpA = a.newQueuePair(config -> config.withType(QueuePairType.UD));
        QueuePair qpB = b.newQueuePair(config -> config.withType(QueuePairType.UD));
        DatagramListener listener =
                resources().add(b.verbs().listenDatagrams(provider().listenAddress(), ListenerConfig.defaults()));
        CompletableFuture<DatagramPeer> asking = CompletableFuture.supplyAsync(() -> a.verbs()
                .connectDatagrams(listener.localAddress(), qpA, ConnectionConfig.defaults(), Waits.deadline()));
        try (DatagramRequest request = listener.accept(Waits.deadline())) {
            request.accept(qpB, new byte[0]);
        }
        return new Sides(
                a,
                b,
                qpA,
                qpB,
                resources().add(asking.orTimeout(60, TimeUnit.SECONDS).join()));
    }

    private AddressHandle back(Sides sides, WorkCompletion received, GrhView header) {
        int port = sides.qpB.query().port().orElseThrow();
        return resources().add(sides.b.domain().addressHandle(received, header, port));
    }

    private static GrhView header(Sides sides) {
        return new GrhView().wrap(sides.b.buffer(), RECEIVED_AT);
    }

    @Test
    @Needs(types = QueuePairType.UD)
    void answerReachesWhoAsked() {
        Sides sides = sides();
        WorkCompletion asked = sides.askedB(Waits.deadline());
        AddressHandle back = back(sides, asked, header(sides));
        byte[] answer = Patterns.bytes(5, BYTES);
        sides.b.put(SENT_AT, answer);
        sides.receive(sides.a, sides.qpA);
        sides.answer(back, asked.sourceQpNumber());
        WorkCompletion answered = Sides.take(sides.a.queue(), sides.completionsA, Waits.deadline());
        assertThat(answered.byteCount()).isEqualTo(GrhView.BYTES + BYTES);
        assertThat(answered.sourceQpNumber()).isEqualTo(sides.qpB.number());
        assertThat(sides.a.get(RECEIVED_AT + GrhView.BYTES, BYTES)).isEqualTo(answer);
    }

    @Test
    @Needs(types = QueuePairType.UD)
    void headerSaysWhichWayADatagramCame() {
        Sides sides = sides();
        WorkCompletion asked = sides.askedB(Waits.deadline());
        requires(asked.hasGrh(), sides.b.verbs(), "sends datagrams without a global route header here");
        GrhView header = header(sides);
        AddressHandle back = back(sides, asked, header);
        Gid source = header.source();
        assertThat(back.config().gid()).isEqualTo(source.toBytes());
        assertThat(header.isFrom(source)).isTrue();
        assertThat(header.isMulticast()).isFalse();
        int index = back.config().gidIndex();
        assertThat(sides.b.verbs().port(back.config().port()).gids())
                .filteredOn(entry -> entry.index() == index)
                .singleElement()
                .satisfies(own -> assertThat(own.gid()).isEqualTo(header.destination()));
        if (sides.b.verbs().device().transport() == Transport.ROCE) {
            assertThat(source.toAddress()).isEqualTo(sides.toB.localAddress().getAddress());
            assertThat(header.destination().toAddress())
                    .isEqualTo(sides.toB.remoteAddress().getAddress());
        }
    }

    @Test
    @Needs(types = QueuePairType.UD)
    void destinationMayBeClosedWhileItsDatagramsAreUnderWay() {
        Sides sides = sides();
        int count = 8;
        for (int i = 0; i < count; i++) {
            sides.receive(sides.b, sides.qpB);
        }
        for (int i = 0; i < count; i++) {
            sides.ask();
        }
        sides.toB.close();
        assertThatThrownBy(() -> sides.qpA.postDatagram(SendOpcode.SEND, 2, sides.fromA, sides.toB, 0, SIGNALED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("address handle");
        for (int i = 0; i < count; i++) {
            sides.a.inbox().takeOk(2);
            sides.b.inbox().takeOk(1);
        }
    }

    @Test
    @Needs(types = QueuePairType.UD)
    @SuppressWarnings("SystemOut") // the figure is for the lab's results
    void pingPongByAddressHandlesFromCompletionsAllocatesNothing() {
        guaranteed(openA(), Guarantee.NO_GARBAGE);
        Sides sides = sides();
        GrhView header = header(sides);
        WorkCompletion first = sides.askedB(Waits.deadline());
        AddressHandle back = back(sides, first, header);
        Gid source = header.source();
        int number = first.sourceQpNumber();
        long[] leastNanos = {Long.MAX_VALUE};
        Allocation.expectNone(OPERATIONS, ROUNDS, () -> {
            Deadline deadline = Waits.deadline();
            long begin = System.nanoTime();
            for (int i = 0; i < OPERATIONS; i++) {
                sides.receive(sides.a, sides.qpA);
                WorkCompletion asked = sides.askedB(deadline);
                header.wrap(sides.b.buffer(), RECEIVED_AT);
                if (asked.sourceQpNumber() != number || (asked.hasGrh() && !header.isFrom(source))) {
                    throw new AssertionError("datagram " + i + " of queue pair " + asked.sourceQpNumber() + ", not "
                            + number + ", by " + header + ", not of " + source);
                }
                sides.answer(back, asked.sourceQpNumber());
                Sides.require(Sides.take(sides.b.queue(), sides.completionsB, deadline)
                                .wrId()
                        == 2);
                Sides.require(Sides.take(sides.a.queue(), sides.completionsA, deadline)
                                .wrId()
                        == 1);
            }
            leastNanos[0] = Math.min(leastNanos[0], System.nanoTime() - begin);
        });
        System.out.printf(
                "ping-pong of %d bytes by address handles of completions: %.1f us in the best of the rounds%n",
                BYTES, leastNanos[0] / 1_000.0 / OPERATIONS);
    }

    @Test
    @ApiCase
    void deviceWithoutDatagramsSaysSo() {
        Endpoint a = sideA();
        requires(!a.capabilities().queuePairTypes().contains(QueuePairType.UD), a.verbs(), "has datagrams");
        WorkCompletion any = WRITER.slot(WorkCompletions.ofCapacity(1), 0);
        assertThatThrownBy(() -> a.domain().addressHandle(any, new GrhView(), 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("datagrams")
                .hasMessageContaining("InfiniBand or RoCE");
    }
}
