package org.panamaverbs.examples.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;

/** What the publisher keeps, and how it repeats that over a connection. */
@Timeout(60)
class RepeatsTest {
    @Test
    void theHistoryHasTheLastUpdatesAndNoOthers() {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var memory = domain.allocate(History.BYTES)) {
            History history = new History(memory);
            MemorySegment copy = MemorySegment.ofArray(new byte[RequestLayout.MOST * UpdateLayout.BYTES]);
            assertThat(history.copy(0, RequestLayout.MOST, copy)).isZero();
            for (int i = 0; i < History.SLOTS + 3; i++) {
                history.add(1_000 + i);
            }

            assertThat(history.copy(2, RequestLayout.MOST, copy)).isZero();
            assertThat(history.copy(3, RequestLayout.MOST, copy)).isEqualTo(RequestLayout.MOST);
            assertThat(UpdateLayout.number(copy, 0)).isEqualTo(3);
            assertThat(UpdateLayout.price(copy, 0)).isEqualTo(1_003);
            // Around the end of the memory, and up to the last one.
            assertThat(history.copy(History.SLOTS - 2, RequestLayout.MOST, copy))
                    .isEqualTo(5);
            assertThat(UpdateLayout.number(copy, 4L * UpdateLayout.BYTES)).isEqualTo(History.SLOTS + 2);
            assertThat(history.copy(History.SLOTS + 3, RequestLayout.MOST, copy))
                    .isZero();
        }
    }

    @Test
    void aReplyIsNotOverwrittenBeforeItHasLeft() {
        Deadline deadline = Deadline.in(Duration.ofSeconds(40));
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var memory = domain.allocate(History.BYTES);
                var replies = domain.allocate(Repeater.BYTES);
                var inbox = domain.allocate(2L * Repeater.BYTES, LOCAL_WRITE);
                var sent = verbs.completionQueue(8);
                var received = verbs.completionQueue(8);
                var listener = verbs.listen(new InetSocketAddress("localhost", 0));
                var subscriber = domain.queuePair(QueuePairConfig.of(domain, received))) {
            PostStatus.check(subscriber.recv(0, inbox, 0, Repeater.BYTES));
            PostStatus.check(subscriber.recv(1, inbox, Repeater.BYTES, Repeater.BYTES));
            var accepting = CompletableFuture.supplyAsync(() -> listener.accept(deadline)
                    .accept(QueuePairConfig.of(domain, sent), ConnectionConfig.defaults(), deadline));
            try (var connection =
                            verbs.connect(listener.localAddress(), subscriber, ConnectionConfig.defaults(), deadline);
                    var accepted = accepting.join()) {
                assertThat(connection.isConnected()).isTrue();
                History history = new History(memory);
                history.add(7);
                history.add(8);
                Repeater repeater = new Repeater(accepted.queuePair(), replies, 0, history);

                repeater.repeat(0);
                repeater.repeat(1);
                assertThat(UpdateLayout.number(replies.segment(), 0))
                        .as("the first reply")
                        .isZero();
                assertThat(repeater.repeated()).isEqualTo(2);

                var completions = WorkCompletions.ofCapacity(1);
                sent.poll(completions, deadline);
                repeater.sent();
                assertThat(repeater.repeated()).isEqualTo(3);
                for (int reply = 0; reply < 2; reply++) {
                    received.poll(completions, deadline);
                    assertThat(completions.get(0).byteCount()).isEqualTo((2L - reply) * UpdateLayout.BYTES);
                    assertThat(UpdateLayout.number(inbox.segment(), (long) reply * Repeater.BYTES))
                            .isEqualTo(reply);
                }
            }
        }
    }
}
