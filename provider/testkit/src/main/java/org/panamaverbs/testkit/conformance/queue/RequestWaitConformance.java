package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.RequestWait;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Waits;

/** Waits for one request among many. */
public abstract class RequestWaitConformance extends Conformance {
    private static final int MOST = 40;

    /** For subclasses. */
    protected RequestWaitConformance() {}

    /** A connection whose sends at A complete in a queue that the test polls by itself. */
    private final class Requests {
        final ConnectedPair pair = pair();
        final CompletionChannel channel = resources().add(pair.a().verbs().completionChannel());
        final CompletionQueue queue =
                pair.a().newQueue(CompletionQueueConfig.of(64).withChannel(channel));
        final Link link = pair.connect(
                pair.a()
                        .newQueuePair(config -> QueuePairConfig.of(pair.a().domain(), queue)
                                .withDepth(MOST, 1)
                                .withSge(1, 1)
                                .withInline(0)),
                pair.b().newQueuePair(config -> config));

        void write(long wrId) {
            accepted(link.qpA().write(wrId, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
        }

        WorkCompletion await(RequestWait wait, long wrId) {
            WorkCompletion found = whilePolling("request " + wrId, () -> wait.await(wrId, Waits.deadline()));
            assertThat(found.wrId()).isEqualTo(wrId);
            assertThat(found.ok()).isTrue();
            return found;
        }
    }

    @Test
    @ApiCase
    void findsEachRequestWhateverTheOrder() {
        Requests requests = new Requests();
        RequestWait wait = RequestWait.of(requests.queue, MOST);
        for (long wrId = 1; wrId <= MOST; wrId++) {
            requests.write(wrId);
        }

        assertThat(requests.await(wait, MOST).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        assertThat(wait.kept()).isEqualTo(MOST - 1);
        for (long wrId = MOST - 1; wrId > 1; wrId -= 2) {
            requests.await(wait, wrId);
        }

        List<Long> rest = new ArrayList<>();
        WorkCompletions completions = WorkCompletions.ofCapacity(7);
        for (int count = wait.poll(completions); count > 0; count = wait.poll(completions)) {
            for (int i = 0; i < count; i++) {
                rest.add(completions.get(i).wrId());
            }
        }
        assertThat(rest).isSorted().hasSize(MOST / 2).allMatch(wrId -> wrId == 1 || wrId % 2 == 0);
        assertThat(wait.kept()).isZero();
    }

    @Test
    void sleepsWithAWaitThatSleeps() {
        Requests requests = new Requests();
        CompletionWait sleeping = CompletionWait.of(requests.queue, requests.channel, Duration.ZERO);
        RequestWait wait = RequestWait.of(requests.queue, sleeping, MOST);
        requests.write(1);
        requests.write(2);

        requests.await(wait, 2);
        requests.await(wait, 1);
    }

    @Test
    @ApiCase
    void saysWhichRequestDidNotComplete() {
        Requests requests = new Requests();
        RequestWait wait = RequestWait.of(requests.queue, MOST);
        requests.write(1);
        requests.write(2);
        requests.await(wait, 2);

        assertThatThrownBy(() -> wait.await(77, Deadline.now()))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("no completion of request 77 before the deadline; 1 of others are kept");
        requests.await(wait, 1);
    }

    @Test
    @ApiCase
    void losesNothingWhereItKeepsTooLittle() {
        Requests requests = new Requests();
        RequestWait wait = RequestWait.of(requests.queue, 2);
        for (long wrId = 1; wrId <= 4; wrId++) {
            requests.write(wrId);
        }

        assertThatThrownBy(() -> requests.await(wait, 4))
                .hasStackTraceContaining("while waiting for request 4, completions of 2 other requests arrived");
        requests.await(wait, 2);
        requests.await(wait, 4);
        requests.await(wait, 1);
        requests.await(wait, 3);
        assertThatThrownBy(() -> RequestWait.of(requests.queue, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
