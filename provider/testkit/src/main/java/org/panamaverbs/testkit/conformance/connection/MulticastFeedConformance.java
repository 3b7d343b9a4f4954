package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.GrhView;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.process.Allocation;

/** A feed of small datagrams by multicast, posted in batches: what does not arrive is found by its number. */
@Needs(Feature.MULTICAST)
public abstract class MulticastFeedConformance extends Conformance {
    private static final int OPERATIONS = Integer.getInteger("verbs.test.operations", 10_000);
    private static final int ROUNDS = Integer.getInteger("verbs.test.rounds", 12);
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.4");
    private static final int BYTES = 64;
    private static final int BATCH = 16;
    private static final int RECEIVES = 64;
    // One in so many is not sent.
    private static final int LEFT_OUT = 100;
    private static final int RECEIVED_AT = 8192;
    // Polls without a datagram after which what is missing of a batch counts as lost.
    private static final int PATIENCE = 1 << 20;

    /** For subclasses. */
    protected MulticastFeedConformance() {}

    /** Posts datagrams with numbers, all but one in {@link #LEFT_OUT}. */
    private static final class Publisher {
        private final Endpoint side;
        private final Batch batch;
        private final DatagramDestination group;
        private final WorkCompletions completions = WorkCompletions.ofCapacity(4);
        private final SgList[] pieces = new SgList[BATCH];
        private final MemorySegment memory;
        long next;
        long sent;

        Publisher(Endpoint side, QueuePair queuePair, DatagramDestination group) {
            this.side = side;
            this.group = group;
            batch = queuePair.batch();
            memory = side.buffer().segment();
            for (int i = 0; i < BATCH; i++) {
                pieces[i] = SgList.ofCapacity(1).add(side.buffer(), (long) i * BYTES, BYTES);
            }
        }

        /** Publishes a batch; returns how many datagrams it has. */
        int publish() {
            for (int i = 0; i < BATCH; i++, next++) {
                memory.set(ValueLayout.JAVA_LONG, (long) i * BYTES, next);
                // The last of a batch is never left out.
                if (i == BATCH - 1) {
                    require(batch.postDatagram(SendOpcode.SEND, next, pieces[i], group, 0, SIGNALED) >= 0);
                } else if (next % LEFT_OUT != 0) {
                    require(batch.postDatagram(SendOpcode.SEND, next, pieces[i], group, 0, NONE) >= 0);
                }
            }
            int count = batch.pending();
            require(batch.submit() == count);
            sent += count;
            int done = 0;
            for (int spins = 1; done == 0; spins++) {
                done = side.queue().poll(completions);
                require(spins < PATIENCE * 64);
                pause(spins);
            }
            require(completions.get(0).ok());
            return count;
        }
    }

    /** Takes datagrams, and counts the numbers that are missing. */
    private static final class Subscriber {
        private final Endpoint side;
        private final QueuePair queuePair;
        private final WorkCompletions completions = WorkCompletions.ofCapacity(BATCH);
        private final MemorySegment memory;
        private long expected;
        long received;
        long gaps;
        long missing;

        Subscriber(Endpoint side, QueuePair queuePair) {
            this.side = side;
            this.queuePair = queuePair;
            memory = side.buffer().segment();
            for (int i = 0; i < RECEIVES; i++) {
                receive(i);
            }
        }

        private void receive(int index) {
            require(queuePair.recv(index, side.buffer(), at(index), GrhView.BYTES + BYTES) >= 0);
        }

        private static long at(int index) {
            return RECEIVED_AT + (long) index * (GrhView.BYTES + BYTES);
        }

        /** Takes {@code count} datagrams, or fewer if some do not come. */
        void take(int count) {
            int taken = 0;
            for (int spins = 1; taken < count && spins < PATIENCE; spins++) {
                int polled = side.queue().poll(completions);
                for (int i = 0; i < polled; i++) {
                    require(completions.get(i).ok());
                    int index = (int) completions.get(i).wrId();
                    note(memory.get(ValueLayout.JAVA_LONG, at(index) + GrhView.BYTES));
                    receive(index);
                }
                taken += polled;
                spins = polled > 0 ? 1 : spins;
                pause(spins);
            }
        }

        private void note(long number) {
            if (number > expected) {
                gaps++;
                missing += number - expected;
            }
            expected = number + 1;
            received++;
        }
    }

    private static void pause(int spins) {
        if ((spins & 0x3F) == 0) {
            Thread.yield();
        }
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError("an operation failed, was refused or did not complete in time");
        }
    }

    @Test
    @SuppressWarnings("SystemOut") // the figures are for the lab's results
    void whatIsMissingIsFoundAndNothingIsAllocated() {
        guaranteed(openA(), Guarantee.NO_GARBAGE);
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair sending = a.newQueuePair(config -> config.withType(QueuePairType.UD));
        QueuePair receiving = b.newQueuePair(config -> config.withType(QueuePairType.UD));
        MulticastConfig config = MulticastConfig.defaults()
                .withLocalAddress(provider().listenAddress().getAddress());
        resources().add(b.verbs().joinMulticast(GROUP, receiving, config, Waits.deadline()));
        Publisher publisher = new Publisher(
                a,
                sending,
                resources().add(a.verbs().joinMulticast(GROUP, sending, config.withSendOnly(true), Waits.deadline())));
        Subscriber subscriber = new Subscriber(b, receiving);

        int batches = OPERATIONS / BATCH;
        long[] leastNanos = {Long.MAX_VALUE};
        Allocation.expectNone(batches * BATCH, ROUNDS, () -> {
            long begin = System.nanoTime();
            for (int i = 0; i < batches; i++) {
                subscriber.take(publisher.publish());
            }
            leastNanos[0] = Math.min(leastNanos[0], System.nanoTime() - begin);
        });

        long lost = publisher.sent - subscriber.received;
        System.out.printf(
                "multicast feed of %d bytes: %,d numbers, %,d left out, %,d lost; found %,d missing in %,d gaps; %.1f us a"
                        + " datagram in the best of the rounds%n",
                BYTES,
                publisher.next,
                publisher.next - publisher.sent,
                lost,
                subscriber.missing,
                subscriber.gaps,
                leastNanos[0] / 1_000.0 / (batches * BATCH));
        assertThat(subscriber.gaps).isPositive();
        // The last number may be among the lost, which only later ones would tell.
        assertThat(subscriber.missing + publisher.next - subscriber.expected)
                .isEqualTo(publisher.next - publisher.sent + lost);
    }
}
