package org.panamaverbs.ibverbs.crash;

import static org.panamaverbs.ibverbs.crash.Expect.either;
import static org.panamaverbs.ibverbs.crash.Expect.soon;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.RegisteredBuffer;

/** Closing under another thread that posts, polls or waits; and many threads on one object. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class ThreadCases {
    private static final int THREADS = 8;
    private static final int ROUNDS = 200;
    private static final int OUTSTANDING = 48;

    private ThreadCases() {}

    static List<CrashCase> all() {
        return List.of(
                new CrashCase("close-queue-pair-while-posting", ThreadCases::queuePairWhilePosting),
                new CrashCase("close-queue-pair-while-eight-post", ThreadCases::queuePairWhileEightPost),
                new CrashCase("close-queue-pair-while-posting-receives", ThreadCases::queuePairWhileReceiving),
                new CrashCase("close-completion-queue-while-polling", ThreadCases::completionQueueWhilePolling),
                new CrashCase("close-channel-while-awaiting", ThreadCases::channelWhileAwaiting),
                new CrashCase("close-device-while-awaiting-event", ThreadCases::deviceWhileAwaitingEvent),
                new CrashCase("close-listener-while-accepting", ThreadCases::listenerWhileAccepting),
                new CrashCase("close-queue-pair-while-connecting", ThreadCases::queuePairWhileConnecting),
                new CrashCase("close-connection-while-disconnecting", ThreadCases::connectionWhileDisconnecting),
                new CrashCase("close-shared-receive-queue-while-posting", ThreadCases::sharedWhilePosting),
                new CrashCase("close-buffer-while-posting", ThreadCases::bufferWhilePosting),
                new CrashCase("post-from-eight-threads", ThreadCases::postFromEightThreads),
                new CrashCase("poll-from-eight-threads", ThreadCases::pollFromEightThreads),
                new CrashCase("make-and-close-from-eight-threads", ThreadCases::makeAndCloseFromEightThreads));
    }

    private static OtherThread posting(Pair pair) {
        return OtherThread.again(
                "post",
                () -> pair.qpA()
                        .write(1, pair.a().buffer(), 0, 64, pair.b().buffer().remote(), 0, SendFlag.SIGNALED));
    }

    private static OtherThread polling(CompletionQueue queue) {
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        return OtherThread.again("poll", () -> queue.poll(completions));
    }

    private static String closedUnder(OtherThread other) {
        String end = other.ended();
        Expect.that(end.contains("IllegalStateException"), "not told that it is closed: " + end);
        return end;
    }

    private static String queuePairWhilePosting(Stage stage) throws Exception {
        Pair pair = stage.pair();
        OtherThread polling = polling(pair.a().queue());
        OtherThread posting = posting(pair);
        pair.qpA().close();
        String end = closedUnder(posting);
        polling.stop();
        return end;
    }

    private static String queuePairWhileEightPost(Stage stage) throws Exception {
        Pair pair = stage.pair();
        OtherThread polling = polling(pair.a().queue());
        List<OtherThread> posting = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            posting.add(posting(pair));
        }
        pair.qpA().close();
        String end = "";
        for (OtherThread each : posting) {
            end = closedUnder(each);
        }
        polling.stop();
        return end;
    }

    private static String queuePairWhileReceiving(Stage stage) throws Exception {
        Pair pair = stage.pair();
        OtherThread polling = polling(pair.b().queue());
        OtherThread receiving =
                OtherThread.again("recv", () -> pair.qpB().recv(1, pair.b().buffer(), 0, 64));
        OtherThread sending =
                OtherThread.again("send", () -> pair.qpA().send(1, pair.a().buffer(), 0, 64, SendFlag.NONE));
        pair.qpB().close();
        String end = closedUnder(receiving);
        sending.stop();
        polling.stop();
        return end;
    }

    private static String completionQueueWhilePolling(Stage stage) {
        CompletionQueue queue = stage.add(stage.verbs().completionQueue(16));
        OtherThread polling = polling(queue);
        queue.close();
        return closedUnder(polling);
    }

    private static String channelWhileAwaiting(Stage stage) {
        CompletionChannel channel = stage.add(stage.verbs().completionChannel());
        OtherThread waiting = OtherThread.once("await", () -> channel.await(soon()));
        channel.close();
        return closedUnder(waiting);
    }

    private static String deviceWhileAwaitingEvent(Stage stage) {
        Verbs verbs = stage.verbs();
        OtherThread waiting = OtherThread.once("asyncEvent", () -> verbs.asyncEvent(soon()));
        verbs.close();
        return waiting.ended();
    }

    private static String listenerWhileAccepting(Stage stage) {
        Listener listener = stage.add(stage.verbs().listen(stage.anyPort()));
        OtherThread waiting = OtherThread.once("accept", () -> stage.add(listener.accept(soon())));
        listener.close();
        return closedUnder(waiting);
    }

    /** Nobody accepts, so that connect waits. */
    private static String queuePairWhileConnecting(Stage stage) {
        Side server = stage.side();
        Side client = stage.side();
        Listener listener = stage.add(server.verbs().listen(stage.anyPort()));
        QueuePair queuePair = client.queuePair();
        OtherThread connecting = OtherThread.once(
                "connect",
                () -> stage.add(client.verbs()
                        .connect(listener.localAddress(), queuePair, Stage.connection(client.verbs()), soon())));
        String said = either("close", queuePair::close);
        listener.close();
        String end = connecting.ended();
        Expect.that(!end.endsWith(": done"), "connected without an accept");
        return said + "; " + end;
    }

    private static String connectionWhileDisconnecting(Stage stage) throws Exception {
        Pair pair = stage.pair();
        pair.write(16, 65_536);
        OtherThread disconnecting =
                OtherThread.once("disconnect", () -> pair.connectionA().disconnect(soon()));
        OtherThread waiting =
                OtherThread.once("awaitDisconnect", () -> pair.connectionB().awaitDisconnect(soon()));
        pair.connectionA().close();
        pair.connectionB().close();
        return disconnecting.ended() + "; " + waiting.ended();
    }

    private static String sharedWhilePosting(Stage stage) {
        Side side = stage.side();
        Stage.requires(side.verbs(), Feature.SHARED_RECEIVE_QUEUE);
        SharedReceiveQueue shared = stage.add(
                side.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(64).withSge(1)));
        OtherThread posting = OtherThread.again("recv", () -> shared.recv(1, side.buffer(), 0, 64));
        shared.close();
        return closedUnder(posting);
    }

    private static String bufferWhilePosting(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer buffer = stage.buffer(pair.a().verbs(), pair.a().domain(), 4096);
        OtherThread polling = polling(pair.a().queue());
        OtherThread posting = OtherThread.again(
                "post",
                () -> pair.qpA().write(1, buffer, 0, 4096, pair.b().buffer().remote(), 0, SendFlag.SIGNALED));
        buffer.close();
        String end = closedUnder(posting);
        polling.stop();
        return end;
    }

    /** Every request of every thread completes once. */
    private static String postFromEightThreads(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Semaphore permits = new Semaphore(OUTSTANDING);
        List<OtherThread> posting = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            long base = (long) thread * ROUNDS;
            AtomicLong next = new AtomicLong();
            posting.add(OtherThread.atOnce("post", () -> {
                while (next.get() < ROUNDS) {
                    permits.acquire();
                    int status = pair.qpA()
                            .write(
                                    base + next.get(),
                                    pair.a().buffer(),
                                    0,
                                    8,
                                    pair.b().buffer().remote(),
                                    0,
                                    SendFlag.SIGNALED);
                    if (status >= 0) {
                        next.incrementAndGet();
                    } else {
                        permits.release();
                    }
                }
            }));
        }
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < THREADS * ROUNDS; i++) {
            Expect.Completed next = Expect.completion(pair.a().queue());
            Expect.that(next.ok(), "an error: " + next);
            Expect.that(seen.add(next.wrId()), "completed twice: " + next);
            permits.release();
        }
        posting.forEach(OtherThread::ended);
        return seen.size() + " requests completed once";
    }

    private static String pollFromEightThreads(Stage stage) throws Exception {
        Pair pair = stage.pair();
        AtomicInteger taken = new AtomicInteger();
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        List<OtherThread> polling = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            WorkCompletions completions = WorkCompletions.ofCapacity(4);
            polling.add(OtherThread.again("poll", () -> {
                int count = pair.a().queue().poll(completions);
                for (int i = 0; i < count; i++) {
                    Expect.that(completions.get(i).ok(), "an error: " + completions.get(i));
                    Expect.that(seen.add(completions.get(i).wrId()), "taken twice: " + completions.get(i));
                }
                taken.addAndGet(count);
                if (count == 0) {
                    Thread.yield();
                }
            }));
        }
        Deadline patience = soon();
        for (int posted = 0; posted < ROUNDS && !patience.passed(); ) {
            if (posted - taken.get() >= OUTSTANDING) {
                Thread.yield();
                continue;
            }
            int status = pair.qpA()
                    .write(posted, pair.a().buffer(), 0, 8, pair.b().buffer().remote(), 0, SendFlag.SIGNALED);
            posted += status >= 0 ? 1 : 0;
        }
        while (taken.get() < ROUNDS && !patience.passed()) {
            Thread.yield();
        }
        for (OtherThread each : polling) {
            String end = each.stop();
            Expect.that(end.endsWith(": done"), end);
        }
        Expect.that(seen.size() == ROUNDS, "only " + seen.size() + " completions");
        return seen.size() + " completions taken once";
    }

    private static String makeAndCloseFromEightThreads(Stage stage) {
        Verbs verbs = stage.verbs();
        List<OtherThread> making = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            making.add(OtherThread.again("make", () -> {
                try (var domain = verbs.protectionDomain();
                        var channel = verbs.completionChannel();
                        var queue = verbs.completionQueue(
                                CompletionQueueConfig.of(16).withChannel(channel));
                        var buffer = domain.allocate(8192, Stage.rights(verbs));
                        var queuePair = domain.queuePair(org.panamaverbs.api.QueuePairConfig.of(domain, queue)
                                .withDepth(8, 8)
                                .withSge(1, 1)
                                .withInline(0))) {
                    Expect.that(queuePair.recv(1, buffer, 0, 64) >= 0, "a receive was refused");
                }
            }));
        }
        Expect.meanwhile(300);
        String end = "";
        for (OtherThread each : making) {
            end = each.stop();
            Expect.that(end.endsWith(": done"), end);
        }
        return end;
    }
}
