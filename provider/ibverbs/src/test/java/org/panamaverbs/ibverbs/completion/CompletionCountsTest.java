package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.WcField;
import org.panamaverbs.ibverbs.call.CqExOps;
import org.panamaverbs.ibverbs.completion.DriverInJava.Cqe;
import org.panamaverbs.spi.support.Attachments;

class CompletionCountsTest {
    private static final int NUMBER = 0x17; // of all completions of the driver
    private static final int SEND = 0; // infiniband/verbs.h: IBV_WC_SEND
    private static final Set<WcField> FIELDS = Set.of(WcField.BYTE_COUNT);
    private static final WcKind KIND = new WcKind(0, FIELDS, true, new DatagramNumbers(), new Attachments());

    private final Arena arena = Arena.ofConfined();
    private final DriverInJava driver = new DriverInJava(arena);
    private final ExtendedPoll poll = new ExtendedPoll(CqExOps.of(driver.queue(), false), FIELDS, false);
    private final WcArray polled = new WcArray(KIND, 4);
    private final CompletionCounts counts = new CompletionCounts();

    @AfterEach
    void close() {
        arena.close();
    }

    private static WorkCounts signalingAll() {
        return new WorkCounts(8, true, false);
    }

    private void polled(int completions) {
        for (int i = 0; i < completions; i++) {
            driver.completes(new Cqe(i, 0, SEND, 0, 0, 0, 0));
        }
        assertThat(poll.poll(polled, 4)).isEqualTo(completions);
    }

    /** The stack may end where one was counted and not yet handed on: then it is taken again. */
    @Test
    void eachOfAPollIsCountedOnceHoweverOftenItIsTaken() {
        WorkCounts its = signalingAll();
        counts.attach(NUMBER, its, true);
        polled(2);
        counts.done(polled, poll, 0);
        counts.done(polled, poll, 0);
        assertThat(its.sends()).isEqualTo(1);
        counts.done(polled, poll);
        counts.done(polled, poll, 1);
        assertThat(its.sends()).isEqualTo(2);

        polled(1);
        counts.done(polled, poll, 0);
        counts.done(polled, poll);
        assertThat(its.sends()).isEqualTo(3);
    }

    @Test
    void whoHadANumberBeforeDoesNotDetachWhoHasItNow() {
        WorkCounts before = signalingAll();
        WorkCounts now = signalingAll();
        counts.attach(NUMBER, before, true);
        counts.attach(NUMBER, now, true);
        counts.detach(NUMBER, before);
        polled(1);
        counts.done(polled, poll);
        counts.detach(NUMBER, now);
        polled(1);
        counts.done(polled, poll);

        assertThat(now.sends()).isEqualTo(1);
        assertThat(before.sends()).isZero();
    }
}
