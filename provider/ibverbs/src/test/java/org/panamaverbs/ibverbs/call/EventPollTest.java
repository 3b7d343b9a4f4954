package org.panamaverbs.ibverbs.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Deadline;

/** What is left to do with a poll that was closed: its descriptors may be another's by then. */
class EventPollTest {
    private static final long BRIEF_MILLIS = 50;

    @Test
    void signalOfAClosedPollReachesNobodyElse() throws InterruptedException {
        EventPoll closed = EventPoll.open();
        closed.close();
        try (EventPoll other = EventPoll.open()) {
            assertThat(other.fileDescriptor()).isEqualTo(closed.fileDescriptor());
            closed.signal();
            long start = System.nanoTime();
            other.await(Deadline.in(BRIEF_MILLIS, TimeUnit.MILLISECONDS));
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(BRIEF_MILLIS));
        }
    }

    @Test
    void closedPollWatchesNothingMoreAndClosesOnce() {
        EventPoll closed = EventPoll.open();
        closed.close();
        try (EventPoll other = EventPoll.open();
                EventPoll watched = EventPoll.open()) {
            int fd = watched.fileDescriptor();
            assertThatThrownBy(() -> closed.add(fd))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            other.add(fd);
            closed.remove(fd);
            watched.signal();
            assertThat(other.look()).isOne();
            closed.close();
            assertThat(other.look()).isOne();
        }
    }
}
