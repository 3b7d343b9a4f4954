package org.panamaverbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.util.WarmUp;

/** {@link WarmUp} on our provider, over TCP and shared memory, driven in the background and by polls alone. */
class WarmUpTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @ParameterizedTest
    @CsvSource({"off, background", "off, spin", "auto, background", "auto, spin"})
    void drivesBothSidesUntilTheDeadline(String shm, String progress) {
        try (Verbs verbs =
                Verbs.open(OpenConfig.provider("iwarp").with("shm", shm).with("progress", progress))) {
            WarmUp done = WarmUp.drive(verbs, HERE, Deadline.in(300, TimeUnit.MILLISECONDS));

            // Less than the second that it takes to see that nothing becomes better.
            assertThat(done.isSteady()).isFalse();
            assertThat(done.messages()).isGreaterThan(100);
            assertThat(done.took()).isPositive();
            assertThat(done.nanosPerMessage()).isPositive().isFinite();
            assertThat(done.toString()).contains("not steady yet");
        }
    }

    @Test
    void endsWhenNothingBecomesBetter() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            WarmUp done = WarmUp.drive(verbs, HERE, Deadline.in(120, TimeUnit.SECONDS));

            assertThat(done.isSteady()).isTrue();
            assertThat(done.toString()).contains(", steady at ");
        }
    }

    @Test
    void saysThatTheConnectionWasNotSetUp() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            Deadline passed = Deadline.now();

            assertThatThrownBy(() -> WarmUp.drive(verbs, HERE, passed)).isInstanceOf(DeadlineExceededException.class);
        }
    }

    /** Also while it drives: a thread is interrupted once its messages are under way. */
    @Test
    void leavesTheFlagOfAnInterruptedThread() throws InterruptedException {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            AtomicReference<Object> ended = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    ended.set(WarmUp.drive(verbs, HERE, Deadline.never()));
                } catch (WaitInterruptedException e) {
                    ended.set(Thread.interrupted() ? e : "the flag was cleared");
                }
            });
            thread.start();
            while (verbs.statistics().value(Counter.CONNECTIONS) < 2) {
                Thread.onSpinWait();
            }
            thread.interrupt();
            thread.join();

            assertThat(ended.get()).isInstanceOf(WaitInterruptedException.class);
        }
    }
}
