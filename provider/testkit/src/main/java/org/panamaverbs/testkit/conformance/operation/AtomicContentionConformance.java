package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.AtomicTarget;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;

/** Atomics of several connections, each driven by its own thread, and of the target's own threads, on one cell. */
public abstract class AtomicContentionConformance extends Conformance {
    private static final int CONNECTIONS = 4;
    private static final int TIMES = Integer.getInteger("verbs.test.contention", 500);
    private static final long CELL = 128;

    /** For subclasses. */
    protected AtomicContentionConformance() {}

    @Test
    @Requirement({"EXT-5-01", "EXT-5.3-01", "EXT-5.4-2-01", "DRAFT01-5.4-2-01"})
    void fetchAddsOfSeveralConnectionsSumExactly() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        long sum = contend(pair, Contention.FETCH_ADD);
        assertThat(pair.b().getLong(CELL)).isEqualTo(sum);
    }

    @Test
    @Requirement({"EXT-5-01", "EXT-5.3-01", "EXT-5.4-2-01", "DRAFT01-5.4-2-01"})
    void cmpSwapLoopsOfSeveralConnectionsSumExactly() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        long sum = contend(pair, Contention.CMP_SWAP);
        assertThat(pair.b().getLong(CELL)).isEqualTo(sum);
    }

    @Test
    @Requirement({"EXT-5-03", "EXT-5-01"})
    void fetchAddsAreAtomicWithTheTargetsOwnAccess() {
        ConnectedPair pair = pair(Feature.ATOMICS, Feature.GLOBAL_ATOMICS);
        AtomicTarget cell = pair.b().buffer().atomicTarget(CELL);
        int local = 200_000;
        Background<Integer> localAdds = Background.start("local adds", () -> {
            for (int i = 0; i < local; i++) {
                cell.getAndAdd(1);
            }
            return local;
        });
        long sum = contend(pair, Contention.FETCH_ADD);
        assertThat(localAdds.await(Waits.deadline())).isEqualTo(local);
        assertThat(cell.getVolatile()).isEqualTo(sum + local);
    }

    /** Adds {@link #TIMES} times 1 over each connection at once, and returns how much that is. */
    private long contend(ConnectedPair pair, Contention contention) {
        List<Adder> adders = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            CompletionQueue queue = pair.a().newQueue(16);
            Link link = pair.connect(
                    pair.a()
                            .newQueuePair(config -> config.withSendCq(queue)
                                    .withRecvCq(queue)
                                    .withDepth(16, 1)
                                    .withSge(1, 1)
                                    .withInline(0)),
                    pair.b().newQueuePair(config -> config));
            adders.add(new Adder(pair, link, queue, i * 8L));
        }
        List<Background<Long>> threads = adders.stream()
                .map(adder -> Background.start("adder", () -> adder.add(contention)))
                .toList();
        long sum = 0;
        for (Background<Long> thread : threads) {
            poller().await("the adders", thread::isDone);
            sum += thread.await(Waits.deadline());
        }
        assertThat(sum).isEqualTo((long) CONNECTIONS * TIMES);
        return sum;
    }

    private enum Contention {
        FETCH_ADD,
        CMP_SWAP
    }

    /** One connection's additions, on one thread. */
    private record Adder(ConnectedPair pair, Link link, CompletionQueue queue, long result) {
        long add(Contention contention) {
            WorkCompletions completions = WorkCompletions.ofCapacity(1);
            long done = 0;
            long expected = 0;
            while (done < TIMES) {
                accepted(
                        contention == Contention.FETCH_ADD
                                ? link.qpA()
                                        .fetchAdd(
                                                done,
                                                pair.a().buffer(),
                                                result,
                                                pair.b().remote(),
                                                CELL,
                                                1,
                                                SIGNALED)
                                : link.qpA()
                                        .cmpSwap(
                                                done,
                                                pair.a().buffer(),
                                                result,
                                                pair.b().remote(),
                                                CELL,
                                                expected,
                                                expected + 1,
                                                SIGNALED));
                assertThat(queue.poll(completions, Waits.deadline())).isEqualTo(1);
                assertThat(completions.get(0).ok()).as("%s", completions.get(0)).isTrue();
                long before = pair.a().getLong(result);
                if (contention == Contention.FETCH_ADD || before == expected) {
                    done++;
                }
                expected = before == expected ? expected + 1 : before;
            }
            return done;
        }
    }
}
