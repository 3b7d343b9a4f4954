package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.process.Allocation;

/** What a queue pair was given comes back with its completions, and with no others. */
public abstract class AttachmentConformance extends Conformance {
    private static final int OPERATIONS = 500;
    private static final int ROUNDS = Integer.getInteger("verbs.test.rounds", 12);
    private static final int LIVES = 12;

    /** What a server would keep of a client; its requests have ids from {@code firstId} on. */
    private record Client(long firstId) {}

    private final WorkCompletions one = WorkCompletions.ofCapacity(1);

    /** For subclasses. */
    protected AttachmentConformance() {}

    @Test
    @ApiCase
    void completionsGiveBackWhatTheirQueuePairWasGiven() {
        ConnectedPair pair = pair();
        CompletionQueue sent = pair.a().newQueue(64);
        CompletionQueue received = pair.b().newQueue(64);
        List<@Nullable Client> clients = new ArrayList<>();
        List<QueuePair> senders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Client client = i == 2 ? null : new Client(100L * i);
            clients.add(client);
            QueuePair to =
                    pair.b().newQueuePair(config -> config.withRecvCq(received).withAttachment(client));
            QueuePair from = resources()
                    .add(pair.a().domain().queuePair(withSends(pair, sent).withAttachment(client)));
            pair.connect(from, to);
            accepted(to.recv(i, pair.b().buffer(), 0, 8));
            senders.add(from);
        }
        for (int i = 3; i >= 0; i--) {
            accepted(senders.get(i).send(i, pair.a().buffer(), 0, 8, SIGNALED));
            // Into the same holder: what another was given does not stay in it.
            WorkCompletion arrived = next(received);
            assertThat(arrived.wrId()).isEqualTo(i);
            assertThat(arrived.attachment()).isSameAs(clients.get(i));
            WorkCompletion done = next(sent);
            assertThat(done.wrId()).isEqualTo(i);
            assertThat(done.attachment()).isSameAs(clients.get(i));
        }
    }

    @Test
    @ApiCase
    void flushedRequestsGiveItBack() {
        ConnectedPair pair = pair();
        CompletionQueue received = pair.b().newQueue(64);
        Client client = new Client(7);
        QueuePair to =
                pair.b().newQueuePair(config -> config.withRecvCq(received).withAttachment(client));
        assertThat(to.config().attachment()).isSameAs(client);
        pair.connect(pair.a().newQueuePair(config -> config), to);
        accepted(to.recv(7, pair.b().buffer(), 0, 8));
        to.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        WorkCompletion flushed = next(received);
        assertThat(flushed.ok()).isFalse();
        assertThat(flushed.attachment()).isSameAs(client);
    }

    @Test
    @ApiCase
    void noneGivesBackWhatAnotherOfItsNumberWasGiven() {
        ConnectedPair pair = pair();
        CompletionQueue sent = pair.a().newQueue(1024);
        int own = 0;
        for (int life = 0; life < LIVES; life++) {
            // Every third has none, and may have the number of one that had.
            Client client = life % 3 == 2 ? null : new Client(100L * life);
            QueuePair from = pair.a().domain().queuePair(withSends(pair, sent).withAttachment(client));
            resources().add(from);
            pair.connect(from, pair.b().newQueuePair(config -> config));
            for (int i = 0; i < 3; i++) {
                accepted(from.write(
                        100L * life + i, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
            }
            // One completion is taken; devices do with the others what they do.
            own += expectOwn(next(sent), life);
            from.close();
        }
        while (sent.poll(one) == 1) {
            expectOwn(one.get(0), LIVES);
        }
        assertThat(own)
                .as("completions that were taken while their queue pair was open")
                .isPositive();
    }

    /** Returns 1 if {@code completion} is of the queue pair of this {@code life}, and not left of one before. */
    private static int expectOwn(WorkCompletion completion, int life) {
        long itsLife = completion.wrId() / 100;
        assertThat(itsLife).isLessThanOrEqualTo(life);
        if (itsLife % 3 == 2) {
            assertThat(completion.attachment()).as("%s", completion).isNull();
        } else {
            assertThat(completion.attachment()).as("%s", completion).isEqualTo(new Client(100 * itsLife));
        }
        return itsLife == life ? 1 : 0;
    }

    @Test
    void givingItBackAllocatesNothing() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.NO_GARBAGE);
        CompletionQueue sent = pair.a().newQueue(256);
        CompletionQueue theirs = pair.b().newQueue(256);
        Client client = new Client(0);
        QueuePair from = resources()
                .add(pair.a().domain().queuePair(withSends(pair, sent).withAttachment(client)));
        pair.connect(
                from,
                resources()
                        .add(pair.b()
                                .domain()
                                .queuePair(pair.b().queuePairConfig().withRecvCq(theirs))));
        RegisteredBuffer local = pair.a().buffer();
        RemoteBuffer remote = pair.b().remote();
        WorkCompletions nothing = WorkCompletions.ofCapacity(1);
        Allocation.expectNone(OPERATIONS, ROUNDS, () -> {
            for (int i = 0; i < OPERATIONS; i++) {
                if (from.write(i, local, 0, 8, remote, 0, SIGNALED) < 0) {
                    throw new AssertionError("write " + i + " was not taken");
                }
                while (sent.poll(one) == 0) {
                    theirs.poll(nothing);
                }
                if (!client.equals(one.get(0).attachment())) {
                    throw new AssertionError("another attachment: " + one.get(0));
                }
            }
        });
    }

    private QueuePairConfig withSends(ConnectedPair pair, CompletionQueue queue) {
        return QueuePairConfig.of(pair.a().domain(), queue).withDepth(16, 16).withSge(1, 1);
    }

    private WorkCompletion next(CompletionQueue queue) {
        poller().await("a completion", () -> queue.poll(one) == 1);
        return one.get(0);
    }
}
