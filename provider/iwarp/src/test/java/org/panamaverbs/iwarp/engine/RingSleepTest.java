package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;

/** Threads that sleep at the rings of their streams, and wake each other there. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class RingSleepTest {
    private static final String[] OPTIONS = {"shm=require", "shm.direct=off", "progress=background"};
    private static final int ROUNDS = 3000;
    // Where the peer answers before a thread sleeps again, the bell wakes the event loop. It turned each round before.
    private static final int FEW = ROUNDS / 2;
    private static final long RECEIVE = 1;
    private static final long SEND = 2;

    private final Side client = new Side();
    private final Side server = new Side();
    private volatile int heard;

    /** A peer whose completions raise events. */
    private static final class Side {
        private final Peer peer = new Peer(OPTIONS);
        private final CompletionChannel channel = peer.verbs.completionChannel();
        private final CompletionQueue queue =
                peer.verbs.completionQueue(CompletionQueueConfig.of(64).withChannel(channel));
        private final WorkCompletions completions = WorkCompletions.ofCapacity(1);
        private final CompletionWait wait = CompletionWait.of(queue, channel, Duration.ZERO);

        QueuePair queuePair() {
            return peer.queuePair();
        }

        QueuePairConfig config() {
            return QueuePairConfig.of(peer.domain, queue).withAllRemoteAccess();
        }

        void receive() {
            PostStatus.check(queuePair().recv(RECEIVE, peer.buffer, 0, 64));
        }

        void send() {
            PostStatus.check(queuePair().send(SEND, peer.buffer, 64, 64, SIGNALED));
        }

        /** Sleeps until a receive completes, and returns how. */
        WcStatus next() {
            do {
                assertThat(wait.await(completions, Peer.soon())).isEqualTo(1);
            } while (completions.get(0).wrId() != RECEIVE);
            return completions.get(0).status();
        }

        /** Tells whether a poll finds the completion of a receive. */
        boolean polls() {
            boolean found = false;
            while (!found && queue.poll(completions) != 0) {
                found = completions.get(0).wrId() == RECEIVE;
            }
            return found;
        }

        long turns() {
            return ((IwarpVerbs) peer.verbs).context().loop().turns();
        }

        void close() {
            peer.connection().close();
            queuePair().close();
            queue.close();
            channel.close();
            peer.close();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        try (Listener listener = server.peer.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(
                    client.peer,
                    client.config(),
                    server.peer,
                    server.config(),
                    listener,
                    ConnectionConfig.defaults(),
                    queuePair -> {});
        }
        client.receive();
        server.receive();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private Background<Boolean> answers() {
        return Background.start(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(server.next()).isEqualTo(WcStatus.SUCCESS);
                server.receive();
                server.send();
            }
            return true;
        });
    }

    @Test
    void messagesWakeTheThreadThatWaitsAndNotTheEventLoop() throws Exception {
        Background<Boolean> answers = answers();
        long before = client.turns() + server.turns();
        long start = System.nanoTime();
        for (int i = 0; i < ROUNDS; i++) {
            client.send();
            assertThat(client.next()).isEqualTo(WcStatus.SUCCESS);
            client.receive();
        }
        assertThat(answers.get()).isTrue();
        assertThat(client.turns() + server.turns() - before).isLessThan(2 * FEW);
        // Each that is lost would cost the 20 ms after which a wait looks whether it was interrupted.
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MILLISECONDS.toNanos(ROUNDS * 10L));
    }

    @Test
    void anEventQueueSleepsThereToo() throws Exception {
        Background<Boolean> answers = answers();
        long before = client.turns();
        try (EventQueue events = client.peer.verbs.eventQueue()) {
            events.add(client.channel, null);
            Events some = Events.ofCapacity(4);
            for (int i = 0; i < ROUNDS; i++) {
                client.send();
                client.queue.arm(false);
                while (!client.polls()) {
                    assertThat(events.await(some, Peer.soon())).isPositive();
                    client.queue.arm(false);
                }
                client.receive();
            }
        }
        assertThat(answers.get()).isTrue();
        assertThat(client.turns() - before).isLessThan(FEW);
    }

    @Test
    void theEndOfThePeerEndsTheSleep() throws Exception {
        Background<WcStatus> waiter = Background.start(client::next).whenWaiting();
        server.peer.connection().close();
        assertThat(waiter.get()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
    }

    @Test
    void aCompletionOfItsOwnProcessEndsTheSleep() throws Exception {
        Background<WcStatus> waiter = Background.start(client::next).whenWaiting();
        client.peer.connection().disconnect(Peer.soon());
        assertThat(waiter.get()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
    }

    @Test
    void aDeadlineAndAnInterruptEndTheSleep() throws Exception {
        client.queue.arm(false);
        assertThat(client.channel.await(Deadline.in(5, TimeUnit.MILLISECONDS))).isEmpty();

        Background<Boolean> waiter = Background.start(() -> {
            assertThatThrownBy(() -> client.channel.await(Peer.soon())).isInstanceOf(WaitInterruptedException.class);
            return Thread.interrupted();
        });
        waiter.whenWaiting().thread().interrupt();
        assertThat(waiter.get()).isTrue();
    }

    /** Nobody comes back to the rings: the event loop has them again. */
    @Test
    void whatComesBehindASleepIsNotLost() throws Exception {
        client.queue.arm(false);
        assertThat(client.channel.await(Deadline.in(5, TimeUnit.MILLISECONDS))).isEmpty();
        long before = client.turns();
        server.send();
        Raw.await("that the event loop turns", () -> client.turns() != before);
        assertThat(client.channel.await(Peer.soon())).isPresent();
        assertThat(client.next()).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void twoThreadsOfOneChannelBothHear() throws Exception {
        client.receive();
        Background<Boolean> one = Background.start(() -> awaitsEvent());
        one.whenWaiting();
        Background<Boolean> other = Background.start(() -> awaitsEvent());
        other.whenWaiting();
        client.queue.arm(false);
        server.send();
        server.receive();
        Raw.await("that one has heard", () -> heard == 1);
        client.queue.arm(false);
        server.send();
        assertThat(one.get() && other.get()).isTrue();
    }

    private boolean awaitsEvent() {
        boolean came = client.channel.await(Peer.soon()).isPresent();
        synchronized (this) {
            heard++;
        }
        return came;
    }

    @Test
    void aVirtualThreadLeavesItsCarrier() throws Exception {
        CompletableFuture<WcStatus> came = new CompletableFuture<>();
        Thread waiter = Thread.ofVirtual().start(() -> came.complete(client.next()));
        Raw.await("that it is parked", () -> waiter.getState() == Thread.State.TIMED_WAITING);
        server.send();
        assertThat(came.get(20, TimeUnit.SECONDS)).isEqualTo(WcStatus.SUCCESS);
    }
}
