package org.panamaverbs.iwarp.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IJ_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.core.Delivery;

/**
 * Completions on their way from streams to pollers: each arrives once, in order and whole (RFC 5040 §5.5). Numbers are
 * the ids in the order in which they were polled, -1 where a field belongs to another completion.
 */
public final class CompletionQueueStress {
    private CompletionQueueStress() {}

    /** Two complete in order while somebody polls. */
    @JCStressTest
    @Outcome(
            id = {"0, 12", "1, 2", "12, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "Now or later.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost, doubled, overtaken or torn.")
    @State
    public static class CompleteAgainstPoll {
        private final IwarpCompletionQueue queue = Fixture.queue(2);

        @Actor
        public void stream() {
            Fixture.complete(queue, 1);
            Fixture.complete(queue, 2);
        }

        @Actor
        public void poller(II_Result r) {
            r.r1 = Fixture.poll(queue, 2);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r2 = Fixture.poll(queue, 2);
            queue.close();
        }
    }

    /** A full ring that goes round: each completion needs the place of one that is polled. */
    @JCStressTest
    @Outcome(id = "true, 1, 2", expect = Expect.ACCEPTABLE, desc = "Polled before the other one came.")
    @Outcome(id = "false, 1, -2", expect = Expect.ACCEPTABLE, desc = "Came too early: an overrun, which is told.")
    @Outcome(id = "false, -2, -2", expect = Expect.ACCEPTABLE, desc = "The overrun was told before it was polled.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost, doubled, overtaken or torn.")
    @State
    public static class CompleteAgainstPollWhenFull {
        private final IwarpCompletionQueue queue = Fixture.queue(1);

        /** Fills the queue. */
        public CompleteAgainstPollWhenFull() {
            Fixture.complete(queue, 1);
        }

        @Actor
        public void stream(ZII_Result r) {
            r.r1 = Fixture.complete(queue, 2);
        }

        @Actor
        public void poller(ZII_Result r) {
            r.r2 = poll();
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = poll();
            queue.close();
        }

        private int poll() {
            try {
                return Fixture.poll(queue, 2);
            } catch (IllegalStateException e) {
                return -2;
            }
        }
    }

    /** Two streams complete while somebody polls. */
    @JCStressTest
    @Outcome(
            id = {"true, true, 12", "true, true, 21"},
            expect = Expect.ACCEPTABLE,
            desc = "One after the other.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost, doubled or torn.")
    @State
    public static class CompleteAgainstComplete {
        private final IwarpCompletionQueue queue = Fixture.queue(2);

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = Fixture.complete(queue, 1);
        }

        @Actor
        public void other(ZZI_Result r) {
            r.r2 = Fixture.complete(queue, 2);
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r3 = Fixture.poll(queue, 2);
            queue.close();
        }
    }

    /** Two streams complete where there is room for one. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "One of the two is told.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A completion was lost without a word.")
    @State
    public static class LastPlace {
        private final IwarpCompletionQueue queue = Fixture.queue(1);

        @Actor
        public void one(ZZ_Result r) {
            r.r1 = Fixture.complete(queue, 1);
        }

        @Actor
        public void other(ZZ_Result r) {
            r.r2 = Fixture.complete(queue, 2);
        }

        @Arbiter
        public void end(ZZ_Result r) {
            queue.close();
        }
    }

    /** Two threads poll what is there. */
    @JCStressTest
    @Outcome(
            id = {"1, 2, 0", "2, 1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "One each.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost, doubled or torn.")
    @State
    public static class PollAgainstPoll {
        private final IwarpCompletionQueue queue = Fixture.queue(2);

        /** Fills the queue. */
        public PollAgainstPoll() {
            Fixture.complete(queue, 1);
            Fixture.complete(queue, 2);
        }

        @Actor
        public void one(III_Result r) {
            r.r1 = Fixture.poll(queue, 1);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = Fixture.poll(queue, 1);
        }

        @Arbiter
        public void end(III_Result r) {
            r.r3 = Fixture.poll(queue, 2);
            queue.close();
        }
    }

    /** The ring is replaced while a stream completes. */
    @JCStressTest
    @Outcome(id = "12, 8", expect = Expect.ACCEPTABLE, desc = "Both are in the larger one.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost, doubled or torn.")
    @State
    public static class CompleteAgainstResize {
        private final IwarpCompletionQueue queue = Fixture.queue(2);

        /** Creates the queue with one completion. */
        public CompleteAgainstResize() {
            Fixture.complete(queue, 1);
        }

        @Actor
        public void stream() {
            Fixture.complete(queue, 2);
        }

        @Actor
        public void application() {
            queue.resize(8);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = Fixture.poll(queue, 2);
            r.r2 = queue.capacity();
            queue.close();
        }
    }

    /** A message arrives while somebody polls and then reads what it brought. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 7", "1, 7"},
            expect = Expect.ACCEPTABLE,
            desc = "Completed means placed.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Completed, and the memory is still the old one.")
    @State
    public static class PlacedBeforeCompleted {
        private final IwarpCompletionQueue queue = Fixture.queue(2);
        private final Delivery.Place place = new Delivery.Place();

        @Actor
        public void stream() {
            Delivery.ofThread().send(place, 7, queue);
        }

        @Actor
        public void poller(IJ_Result r) {
            r.r1 = queue.poll(WorkCompletions.ofCapacity(1));
            r.r2 = place.read();
        }

        @Arbiter
        public void end(IJ_Result r) {
            queue.close();
        }
    }
}
