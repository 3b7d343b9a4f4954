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
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.iwarp.core.ReceiveSlot;
import org.panamaverbs.iwarp.core.ReceiveSource;
import org.panamaverbs.iwarp.core.Slots;

/**
 * Receives of a shared queue on their way from the application to streams: each is taken once, in order and whole.
 * Numbers are the ids in the order in which they were taken, -1 where a field belongs to another receive.
 */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
public final class SharedReceiveQueueStress {
    private SharedReceiveQueueStress() {}

    private static IwarpSharedReceiveQueue queue(int maxWr) {
        return (IwarpSharedReceiveQueue) Fixture.DOMAIN.sharedReceiveQueue(
                SharedReceiveQueueConfig.of(maxWr).withSge(1));
    }

    private static int post(IwarpSharedReceiveQueue queue, int id) {
        return queue.postRecv(id, Slots.address(id), Slots.length(id), Slots.lkey(id));
    }

    /** Takes up to {@code most}; returns the ids as the digits of one number. */
    private static int take(IwarpSharedReceiveQueue queue, int most) {
        ReceiveSource source = queue.sourceFor(1);
        ReceiveSlot slot = new ReceiveSlot(1);
        int digits = 0;
        for (int i = 0; i < most && source.take(slot); i++) {
            int id = Slots.id(slot);
            if (id < 0) {
                return id;
            }
            digits = digits * 10 + id;
        }
        return digits;
    }

    /** Two are posted in order while a stream takes one. */
    @JCStressTest
    @Outcome(
            id = {"0, 12", "1, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "Now or later.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost, doubled, overtaken or torn.")
    @State
    public static class PostAgainstTake {
        private final IwarpSharedReceiveQueue queue = queue(2);

        @Actor
        public void application() {
            post(queue, 1);
            post(queue, 2);
        }

        @Actor
        public void stream(II_Result r) {
            r.r1 = take(queue, 1);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r2 = take(queue, 3);
            queue.close();
        }
    }

    /** A list of two is posted while a stream takes two: both or none are there. */
    @JCStressTest
    @Outcome(
            id = {"0, 12", "12, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "Now or later.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Parted, lost, doubled, overtaken or torn.")
    @State
    public static class ListAgainstTake {
        private final IwarpSharedReceiveQueue queue = queue(2);
        private final ReceiveList list = ReceiveList.ofCapacity(2);

        /** Fills the list. */
        public ListAgainstTake() {
            for (int id = 1; id <= 2; id++) {
                list.add(id, Slots.address(id), Slots.length(id), Slots.lkey(id));
            }
        }

        @Actor
        public void application() {
            queue.recv(list);
        }

        @Actor
        public void stream(II_Result r) {
            r.r1 = take(queue, 2);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r2 = take(queue, 3);
            queue.close();
        }
    }

    /** Two streams take one each. */
    @JCStressTest
    @Outcome(
            id = {"1, 2, 0", "2, 1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "One each.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost, doubled or torn.")
    @State
    public static class TakeAgainstTake {
        private final IwarpSharedReceiveQueue queue = queue(2);

        /** Fills the queue. */
        public TakeAgainstTake() {
            post(queue, 1);
            post(queue, 2);
        }

        @Actor
        public void one(III_Result r) {
            r.r1 = take(queue, 1);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = take(queue, 1);
        }

        @Arbiter
        public void end(III_Result r) {
            r.r3 = take(queue, 3);
            queue.close();
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
        private final IwarpSharedReceiveQueue queue = queue(1);

        @Actor
        public void one(III_Result r) {
            r.r1 = post(queue, 1);
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = post(queue, 2);
        }

        @Arbiter
        public void end(III_Result r) {
            r.r3 = take(queue, 3);
            queue.close();
        }
    }
}
