package org.panamaverbs.ibverbs.crash;

import static org.panamaverbs.ibverbs.crash.Expect.either;
import static org.panamaverbs.ibverbs.crash.Expect.soon;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Listener;

/** Full and overrun queues, objects that are lost, and processes that end with everything open. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class LimitCases {
    private LimitCases() {}

    static List<CrashCase> all() {
        return List.of(
                new CrashCase("completion-queue-overrun", LimitCases::overrun),
                new CrashCase("send-queue-full", LimitCases::sendQueueFull),
                new CrashCase("receive-queue-full", LimitCases::receiveQueueFull),
                new CrashCase("resize-completion-queue-in-use", LimitCases::resizeInUse),
                new CrashCase("forgotten-objects-and-collection", LimitCases::forgotten),
                new CrashCase("forgotten-buffer-in-flight", LimitCases::forgottenBuffer),
                new CrashCase("exit-with-everything-open", LimitCases::exitWithEverythingOpen),
                new CrashCase("exit-while-threads-wait", LimitCases::exitWhileThreadsWait));
    }

    /** Either the queue says that it was overrun, or an event does, or nothing was lost. */
    private static String overrun(Stage stage) throws Exception {
        Side a = stage.side();
        CompletionQueue small = stage.add(a.verbs().completionQueue(1));
        QueuePair queuePair = stage.add(a.domain().queuePair(a.config(small).withDepth(1024, 1)));
        Side b = stage.side();
        Pair pair = stage.connect(a, queuePair, b, b.queuePair());
        int posted = 0;
        Deadline patience = soon();
        while (posted < small.capacity() + 16 && !patience.passed()) {
            int status = queuePair.write(posted, a.buffer(), 0, 8, b.buffer().remote(), 0, SendFlag.SIGNALED);
            posted += status >= 0 ? 1 : 0;
        }
        Optional<AsyncEvent> event = a.verbs().asyncEvent(Deadline.in(2, TimeUnit.SECONDS));
        int[] taken = {0};
        int all = posted;
        WorkCompletions completions = WorkCompletions.ofCapacity(64);
        String said = either("poll", () -> {
            Deadline end = event.isPresent() ? Deadline.in(1, TimeUnit.SECONDS) : soon();
            while (taken[0] < all && !end.passed()) {
                taken[0] += small.poll(completions);
            }
        });
        Expect.that(
                event.isPresent() || !said.endsWith(": done") || taken[0] == posted,
                (posted - taken[0]) + " completions were lost without a word");
        pair.connectionA().close();
        return "capacity " + small.capacity() + ", posted " + posted + ", taken " + taken[0] + ", event "
                + event.map(each -> each.type().name()).orElse("none") + "; " + said;
    }

    /** A device that is fast enough may take all of them, as many as the completion queue can hold. */
    private static String sendQueueFull(Stage stage) throws Exception {
        Pair pair = stage.pair();
        int status = 0;
        int posted = 0;
        while (posted < pair.a().queue().capacity() && status >= 0) {
            status = pair.qpA()
                    .write(posted, pair.a().buffer(), 0, 8, pair.b().buffer().remote(), 0, SendFlag.SIGNALED);
            posted += status >= 0 ? 1 : 0;
        }
        Expect.that(status >= 0 || status == PostStatus.QUEUE_FULL, "answered " + PostStatus.text(status));
        for (Expect.Completed each : Expect.completions(pair.a().queue(), posted)) {
            Expect.that(each.ok(), "a Write failed: " + each);
        }
        pair.works();
        return posted + " posted, then " + PostStatus.text(status);
    }

    private static String receiveQueueFull(Stage stage) throws Exception {
        Pair pair = stage.pair();
        int status = 0;
        int posted = 0;
        while (posted < 1_000_000 && status >= 0) {
            status = pair.qpB().recv(posted, pair.b().buffer(), 0, 8);
            posted += status >= 0 ? 1 : 0;
        }
        Expect.that(status == PostStatus.QUEUE_FULL, "answered " + PostStatus.text(status));
        pair.works();
        return posted + " posted";
    }

    private static String resizeInUse(Stage stage) throws Exception {
        Pair pair = stage.pair();
        CompletionQueue queue = pair.a().queue();
        pair.write(32, 8);
        StringBuilder said = new StringBuilder();
        for (int capacity : new int[] {512, 1, 0, -1, Integer.MAX_VALUE, 256}) {
            said.append(either("resize to " + capacity, () -> queue.resize(capacity)))
                    .append("; ");
        }
        for (Expect.Completed each : Expect.completions(queue, 32)) {
            Expect.that(each.ok(), "a Write failed: " + each);
        }
        pair.works();
        return said.toString();
    }

    /** Nobody closes what one round makes, and nobody can any more. */
    private static String forgotten(Stage stage) throws Exception {
        for (int round = 0; round < 4; round++) {
            forget(stage);
            collect();
        }
        stage.pair().works();
        collect();
        return "4 rounds forgotten";
    }

    private static void forget(Stage stage) throws Exception {
        Stage lost = new Stage(stage.device(), stage.address());
        Pair pair = lost.pair();
        pair.qpB().recv(1, pair.b().buffer(), 0, 4096);
        lost.add(pair.a().verbs().listen(lost.anyPort()));
        lost.add(pair.a().verbs().completionChannel());
        pair.write(16, 65_536);
    }

    /** The buffer is not reachable any more while the device reads from it. */
    private static String forgottenBuffer(Stage stage) throws Exception {
        Pair pair = stage.pair();
        for (int round = 0; round < 8; round++) {
            for (int i = 0; i < 4; i++) {
                pair.qpA()
                        .write(
                                i,
                                pair.a()
                                        .domain()
                                        .allocate(65_536, Stage.rights(pair.a().verbs())),
                                0,
                                65_536,
                                pair.b().buffer().remote(),
                                0,
                                SendFlag.SIGNALED);
            }
            collect();
            for (Expect.Completed each : Expect.completions(pair.a().queue(), 4)) {
                Expect.that(each.ok(), "a Write from a lost buffer failed: " + each);
            }
        }
        pair.works();
        stage.leaveOpen();
        return "32 lost buffers";
    }

    // A cleaner that frees what the device uses would show here.
    private static void collect() {
        for (int i = 0; i < 2; i++) {
            System.gc();
            Expect.meanwhile(20);
        }
    }

    private static String exitWithEverythingOpen(Stage stage) throws Exception {
        Pair pair = stage.pair();
        stage.add(pair.a().verbs().listen(stage.anyPort()));
        pair.write(32, Side.BUFFER_BYTES);
        stage.leaveOpen();
        return "left open";
    }

    private static String exitWhileThreadsWait(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Verbs verbs = pair.a().verbs();
        CompletionChannel channel = stage.add(verbs.completionChannel());
        Listener listener = stage.add(verbs.listen(stage.anyPort()));
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        List<OtherThread> waiting = new ArrayList<>();
        waiting.add(OtherThread.once("await", () -> channel.await(soon())));
        waiting.add(OtherThread.once("asyncEvent", () -> verbs.asyncEvent(soon())));
        waiting.add(OtherThread.once("accept", () -> stage.add(listener.accept(soon()))));
        waiting.add(OtherThread.once("awaitDisconnect", () -> pair.connectionB().awaitDisconnect(soon())));
        // No more than the completion queue holds: an overrun would be an event, and end the threads.
        Semaphore room = new Semaphore(pair.a().queue().capacity() / 2);
        waiting.add(
                OtherThread.again("poll", () -> room.release(pair.a().queue().poll(completions))));
        waiting.add(OtherThread.again("post", () -> {
            room.acquire();
            pair.qpA().write(1, pair.a().buffer(), 0, 8, pair.b().buffer().remote(), 0, SendFlag.SIGNALED);
        }));
        for (OtherThread each : waiting) {
            Expect.that(each.isRunning(), "a thread does not wait: " + (each.isRunning() ? "" : each.ended()));
        }
        stage.leaveOpen();
        return waiting.size() + " threads left";
    }
}
