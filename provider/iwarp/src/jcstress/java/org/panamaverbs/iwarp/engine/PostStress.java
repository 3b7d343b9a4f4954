package org.panamaverbs.iwarp.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkRequest;

/**
 * Posting against posting, and against the end of the stream or the closing of the queue pair: what is accepted
 * completes once, flushed if need be, what is refused never (RFC 5040 §6.2: RDMAP-6.2). Numbers are what post answered,
 * 0 for accepted, and the ids in the order in which they completed.
 */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
public final class PostStress {
    private PostStress() {}

    /** Ends the stream and returns what completed. */
    private static int completed(IwarpQueuePair queuePair, IwarpCompletionQueue queue) {
        queuePair.driver().abort();
        int flushed = Fixture.pollFlushed(queue);
        close(queuePair, queue);
        return flushed;
    }

    private static void close(IwarpQueuePair queuePair, IwarpCompletionQueue queue) {
        queuePair.close();
        queue.close();
    }

    /** Two threads post. */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 12", "0, 0, 21"},
            expect = Expect.ACCEPTABLE,
            desc = "Both, one after the other.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost or doubled.")
    @State
    public static class PostAgainstPost {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);

        @Actor
        public void one(III_Result r) {
            r.r1 = Fixture.send(queuePair, 1);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = Fixture.send(queuePair, 2);
        }

        @Arbiter
        public void end(III_Result r) {
            r.r3 = completed(queuePair, queue);
        }
    }

    /** Two threads post where there is room for one. */
    @JCStressTest
    @Outcome(
            id = {"0, -1, 1", "-1, 0, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "One of the two was accepted.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both or none, or another one.")
    @State
    public static class LastPlace {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 1);

        @Actor
        public void one(III_Result r) {
            r.r1 = Fixture.send(queuePair, 1);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = Fixture.send(queuePair, 2);
        }

        @Arbiter
        public void end(III_Result r) {
            r.r3 = completed(queuePair, queue);
        }
    }

    /** A send is posted while the stream ends. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Accepted, and flushed once.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Accepted and lost or doubled, or refused and completed.")
    @State
    public static class SendAgainstAbort {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);

        @Actor
        public void application(II_Result r) {
            r.r1 = Fixture.send(queuePair, 1);
        }

        @Actor
        public void end() {
            queuePair.driver().abort();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = completed(queuePair, queue);
        }
    }

    /** A receive is posted while the stream ends. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Accepted, and flushed once.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Accepted and lost or doubled, or refused and completed.")
    @State
    public static class ReceiveAgainstAbort {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);

        @Actor
        public void application(II_Result r) {
            r.r1 = queuePair.postRecv(1, 0, 0, 0);
        }

        @Actor
        public void end() {
            queuePair.driver().abort();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = completed(queuePair, queue);
        }
    }

    /** A list of two receives is posted while the stream ends. */
    @JCStressTest
    @Outcome(id = "2, 12", expect = Expect.ACCEPTABLE, desc = "Both are flushed once, in their order.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost or doubled.")
    @State
    public static class ListAgainstAbort {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);
        private final ReceiveList list =
                ReceiveList.ofCapacity(2).add(1, 0, 0, 0).add(2, 0, 0, 0);

        @Actor
        public void application(II_Result r) {
            r.r1 = queuePair.recv(list);
        }

        @Actor
        public void end() {
            queuePair.driver().abort();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = completed(queuePair, queue);
        }
    }

    /** A batch of two is submitted while the stream ends. */
    @JCStressTest
    @Outcome(id = "2, 12", expect = Expect.ACCEPTABLE, desc = "Both are flushed once.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost or doubled.")
    @State
    public static class BatchAgainstAbort {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);

        @Actor
        public void application(II_Result r) {
            for (int id = 1; id <= 2; id++) {
                queuePair.batch().post(WorkRequest.of(SendOpcode.SEND).wrId(id).flags(SendFlag.SIGNALED));
            }
            r.r1 = queuePair.batch().submit();
        }

        @Actor
        public void end() {
            queuePair.driver().abort();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = completed(queuePair, queue);
        }
    }

    /** A send is posted while the stream is closed gracefully. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Accepted, and flushed once.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Accepted and lost or doubled, or refused and completed.")
    @State
    public static class SendAgainstDisconnect {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);

        @Actor
        public void application(II_Result r) {
            r.r1 = Fixture.send(queuePair, 1);
        }

        @Actor
        public void end() {
            queuePair.driver().disconnect();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = completed(queuePair, queue);
        }
    }

    /** Two threads end a stream with a send under way. */
    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "Flushed once.")
    @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "Lost.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Doubled.")
    @State
    public static class AbortAgainstDisconnect {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);

        /** Posts. */
        public AbortAgainstDisconnect() {
            Fixture.send(queuePair, 1);
        }

        @Actor
        public void abort(II_Result r) {
            queuePair.driver().abort();
            r.r1 = Fixture.pollFlushed(queue);
        }

        @Actor
        public void disconnect() {
            queuePair.driver().disconnect();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = completed(queuePair, queue);
        }
    }

    /** A send is posted while its queue pair is closed, which takes its completions with it. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "-100, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "Accepted before, or refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A closed queue pair completed.")
    @State
    public static class SendAgainstClose {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);

        @Actor
        public void application(II_Result r) {
            r.r1 = Fixture.send(queuePair, 1);
        }

        @Actor
        public void owner() {
            queuePair.close();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = Fixture.pollFlushed(queue);
            close(queuePair, queue);
        }
    }

    /** The same where the stream has ended: a post completes at once. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "-100, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "Accepted before, or refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A closed queue pair completed.")
    @State
    public static class SendAgainstCloseAfterTheEnd {
        private final IwarpCompletionQueue queue = Fixture.queue(4);
        private final IwarpQueuePair queuePair = Fixture.established(queue, 2);

        /** Ends the stream. */
        public SendAgainstCloseAfterTheEnd() {
            queuePair.driver().abort();
        }

        @Actor
        public void application(II_Result r) {
            r.r1 = Fixture.send(queuePair, 1);
        }

        @Actor
        public void owner() {
            queuePair.close();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = Fixture.pollFlushed(queue);
            close(queuePair, queue);
        }
    }
}
