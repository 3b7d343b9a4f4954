package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.util.EmulatedMaskedAtomics;
import org.panamaverbs.api.util.EmulatedMaskedAtomics.Outcome;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Waits;

/** Emulated masked atomics of several peers on one cell, against a model of what one after another would give. */
@ApiCase
public abstract class EmulatedContentionConformance extends Conformance {
    private static final int PEERS = 4;
    private static final int TIMES = Integer.getInteger("verbs.test.contention", 500) / 2;
    private static final long CELL = 128;
    private static final long FOUR_FIELDS = 0x8000_8000_8000_8000L;
    private static final int FIELD_BITS = 16;
    private static final int UPPER = 32;

    /** For subclasses. */
    protected EmulatedContentionConformance() {}

    /** What one operation found, in the order of one peer's operations. */
    private record Seen(List<Long> before) {}

    /**
     * Each peer adds to a field of its own. If the additions took effect one after another, what they found, put in
     * order, differs from one to the next by exactly the addition that was made.
     */
    @Test
    void fetchAddsOfSeveralPeersTakeEffectOneAfterAnother() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        List<Seen> seen = atOnce(pair, (atomics, peer, time) -> {
            long one = 1L << (peer * FIELD_BITS);
            return atomics.fetchAdd(pair.b().remote(), CELL, one, FOUR_FIELDS, Waits.deadline());
        });
        Map<Long, Long> next = new HashMap<>();
        for (int peer = 0; peer < PEERS; peer++) {
            for (long before : seen.get(peer).before()) {
                assertThat(next.put(before, before + (1L << (peer * FIELD_BITS))))
                        .as("two additions found 0x%016x", before)
                        .isNull();
            }
        }
        expectChain(next, 0, pair.b().getLong(CELL));
    }

    /** Each swap stores a value that no other stores; what one stored is found by exactly one, and the last stays. */
    @Test
    void swapsOfSeveralPeersTakeEffectOneAfterAnother() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        List<Seen> seen = atOnce(
                pair,
                (atomics, peer, time) -> atomics.swap(pair.b().remote(), CELL, value(peer, time), Waits.deadline()));
        Map<Long, Long> next = new HashMap<>();
        for (int peer = 0; peer < PEERS; peer++) {
            List<Long> before = seen.get(peer).before();
            for (int time = 0; time < TIMES; time++) {
                assertThat(next.put(before.get(time), value(peer, time)))
                        .as("two swaps found %d", before.get(time))
                        .isNull();
            }
        }
        expectChain(next, 0, pair.b().getLong(CELL));
    }

    /** Before each CmpSwap of the emulation, a FetchAdd of another peer changes the lower half of the cell. */
    @Test
    void exhaustedAttemptsHaveNoEffect() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        FetchAdds adds = new FetchAdds(pair);
        AtomicBoolean disturbed = new AtomicBoolean(true);
        EmulatedMaskedAtomics atomics = EmulatedAtomics.over(pair, 0, 2, () -> {
            if (disturbed.get()) {
                adds.addOne();
            }
        });

        for (int time = 1; time <= 3; time++) {
            assertThat(addToUpperHalf(atomics, pair)).isEqualTo(Outcome.CONTENDED);
            assertThat(atomics.attempts()).isEqualTo(2);
            assertThat(pair.b().getLong(CELL)).isEqualTo(2L * time);
        }
        disturbed.set(false);
        assertThat(addToUpperHalf(atomics, pair)).isEqualTo(Outcome.DONE);
        assertThat(pair.b().getLong(CELL)).isEqualTo((1L << UPPER) + 6);
    }

    private Outcome addToUpperHalf(EmulatedMaskedAtomics atomics, ConnectedPair pair) {
        return whilePolling(
                "an emulated atomic",
                () -> atomics.fetchAdd(pair.b().remote(), CELL, 1L << UPPER, 0, Waits.deadline()));
    }

    private interface Operation {
        Outcome run(EmulatedMaskedAtomics atomics, int peer, int time);
    }

    private List<Seen> atOnce(ConnectedPair pair, Operation operation) {
        List<Background<Seen>> peers = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            int peer = i;
            EmulatedMaskedAtomics atomics = EmulatedAtomics.over(pair, i * 8L, Integer.MAX_VALUE);
            Callable<Seen> work = () -> {
                List<Long> before = new ArrayList<>(TIMES);
                for (int time = 0; time < TIMES; time++) {
                    assertThat(operation.run(atomics, peer, time)).isEqualTo(Outcome.DONE);
                    before.add(atomics.before());
                }
                return new Seen(before);
            };
            peers.add(Background.start("peer " + peer, work));
        }
        List<Seen> seen = new ArrayList<>();
        for (Background<Seen> peer : peers) {
            poller().await("a peer", peer::isDone);
            seen.add(peer.await(Waits.deadline()));
        }
        return seen;
    }

    private static long value(int peer, int time) {
        return 1 + peer + (long) PEERS * time;
    }

    private static void expectChain(Map<Long, Long> next, long first, long last) {
        long value = first;
        for (int steps = next.size(); steps > 0; steps--) {
            Long following = next.remove(value);
            if (following == null) {
                throw new AssertionError("nobody found 0x%016x, %d steps before the end".formatted(value, steps));
            }
            value = following;
        }
        assertThat(value).isEqualTo(last);
    }

    /** Plain FetchAdds of 1 from a connection of its own. */
    private static final class FetchAdds {
        private final ConnectedPair pair;
        private final CompletionQueue queue;
        private final QueuePair queuePair;
        private final WorkCompletions completions = WorkCompletions.ofCapacity(1);

        FetchAdds(ConnectedPair pair) {
            this.pair = pair;
            queue = pair.a().newQueue(4);
            queuePair = pair.a()
                    .newQueuePair(config -> config.withSendCq(queue)
                            .withRecvCq(queue)
                            .withDepth(1, 1)
                            .withSge(1, 1)
                            .withInline(0));
            pair.connect(queuePair, pair.b().newQueuePair(config -> config));
        }

        /** Adds 1 to the cell; it has taken effect on return. */
        void addOne() {
            accepted(queuePair.fetchAdd(1, pair.a().buffer(), 512, pair.b().remote(), CELL, 1, SIGNALED));
            assertThat(queue.poll(completions, Waits.deadline())).isEqualTo(1);
            assertThat(completions.get(0).ok()).as("%s", completions.get(0)).isTrue();
        }
    }
}
