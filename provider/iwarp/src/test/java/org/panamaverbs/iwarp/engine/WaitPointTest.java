package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.device.DrivingWait;
import org.panamaverbs.iwarp.engine.device.WaitPoint;

/** Threads that wait at one point and would drive different things meanwhile. */
@Timeout(60)
class WaitPointTest {
    private final WaitPoint point = new WaitPoint();
    private volatile boolean done;

    /** Sleeps until it is woken up, however short a turn is to be: a wake-up that is lost never ends. */
    private static final class Sleep implements DrivingWait {
        private final Semaphore woken = new Semaphore(0);
        private int turns;

        @Override
        public boolean take() {
            return true;
        }

        @Override
        public boolean turn(long nanos) {
            turns++;
            if (nanos > 0) {
                woken.acquireUninterruptibly();
            }
            return true;
        }

        @Override
        public void giveBack() {}

        @Override
        public void wakeup() {
            woken.release();
        }
    }

    private Background<Boolean> waiter(Sleep at, Deadline deadline) throws InterruptedException {
        Background<Boolean> waiter = Background.start(() -> {
            return point.awaitDriving(() -> done, deadline, at) || point.sleepInterruptibly(() -> done, deadline);
        });
        return waiter.whenWaiting();
    }

    @Test
    void aChangeIsHeardByBoth() throws Exception {
        Background<Boolean> one = waiter(new Sleep(), Peer.soon());
        Background<Boolean> other = waiter(new Sleep(), Peer.soon());
        done = true;
        point.changed();
        assertThat(one.get() && other.get()).isTrue();
    }

    @Test
    void whoLeavesLeavesTheOtherToHear() throws Exception {
        Background<Boolean> one = waiter(new Sleep(), Peer.soon());
        Background<Boolean> other = Background.start(() -> point.awaitDriving(() -> true, Peer.soon(), new Sleep()));
        other.get();
        done = true;
        point.changed();
        assertThat(one.get()).isTrue();
    }

    @Test
    void theNextOneDrivesWhenTheOneBeforeHasLeft() throws Exception {
        Sleep first = new Sleep();
        Sleep second = new Sleep();
        done = true;
        assertThat(point.awaitDriving(() -> done, Peer.soon(), first)).isTrue();
        assertThat(point.awaitDriving(() -> done, Deadline.in(1, TimeUnit.SECONDS), second))
                .isTrue();
        assertThat(first.turns).isEqualTo(1);
        assertThat(second.turns).isEqualTo(1);
    }
}
