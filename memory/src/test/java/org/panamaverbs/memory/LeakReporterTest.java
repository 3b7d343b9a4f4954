package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeakReporterTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final BlockingQueue<LeakReporter.Leak> reports = new LinkedBlockingQueue<>();
    private @Nullable Consumer<? super LeakReporter.Leak> before;

    @BeforeEach
    void listen() {
        before = LeakReporter.reportTo(reports::add);
    }

    @AfterEach
    void restore() {
        if (before != null) {
            LeakReporter.reportTo(before);
        }
    }

    private static final class Thing extends ManagedResource {
        Thing(String name, ManagedResource... parents) {
            super(name, parents);
        }

        @Override
        protected void release() {}
    }

    /** In a frame of its own, so that no local variable keeps the object. */
    private static void lose(String name, ManagedResource... parents) {
        assertThat(new Thing(name, parents).isOpen()).isTrue();
    }

    private LeakReporter.Leak awaitReport(String name) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() - deadline < 0) {
            System.gc();
            LeakReporter.Leak leak = reports.poll(50, TimeUnit.MILLISECONDS);
            if (leak != null && leak.resource().equals(name)) {
                return leak;
            }
        }
        throw new AssertionError("no report of " + name + " within " + LIMIT);
    }

    @Test
    void testsWatchAllResources() {
        assertThat(LeakReporter.level()).isEqualTo(LeakReporter.Level.PARANOID);
    }

    @Test
    void namesALostResourceAndWhereItWasMade() throws InterruptedException {
        long reported = LeakReporter.reportedLeaks();
        Thing parent = new Thing("parent of the lost");
        lose("lost thing 1", parent);
        LeakReporter.Leak leak = awaitReport("lost thing 1");
        assertThat(leak).hasToString("lost thing 1 was lost without being closed");
        assertThat(Arrays.stream(leak.createdAt().getStackTrace()).map(StackTraceElement::getMethodName))
                .contains("lose");
        assertThat(LeakReporter.reportedLeaks()).isGreaterThan(reported);

        assertThatThrownBy(parent::close)
                .as("what is lost is still open")
                .hasMessageContaining("lost thing 1 (lost without being closed)");
        assertThat(parent.isOpen()).isTrue();
        parent = null;
        assertThat(awaitReport("parent of the lost").createdAt()).isNotNull();
    }

    @Test
    void doesNotReportWhatWasClosed() throws InterruptedException {
        Thing parent = new Thing("parent of the closed");
        for (int i = 0; i < 100; i++) {
            new Thing("closed thing", parent).close();
        }
        lose("marker");
        assertThat(awaitReport("marker").resource()).isEqualTo("marker");
        assertThat(reports).noneMatch(leak -> leak.resource().equals("closed thing"));
        parent.close();
    }

    @Test
    void readsTheLevelFromItsProperty() {
        assertThat(LeakReporter.Level.of("off")).isEqualTo(LeakReporter.Level.OFF);
        assertThat(LeakReporter.Level.of(" Paranoid ")).isEqualTo(LeakReporter.Level.PARANOID);
        assertThat(LeakReporter.Level.of("sampled")).isEqualTo(LeakReporter.Level.SAMPLED);
        assertThat(LeakReporter.Level.of(null)).isEqualTo(LeakReporter.Level.SAMPLED);
        assertThat(LeakReporter.Level.of("nonsense")).isEqualTo(LeakReporter.Level.SAMPLED);
    }

    @Test
    void watchesOneIn128WhenSampling() {
        int resources = 128 * 200;
        int watched = 0;
        for (int i = 0; i < resources; i++) {
            LeakReporter.Tracker tracker = LeakReporter.track(LeakReporter.Level.SAMPLED, this, "sampled");
            if (tracker != null) {
                tracker.closed();
                watched++;
            }
        }
        // The mean is 200 and the standard deviation 14: 7 of them either side.
        assertThat(watched).isBetween(100, 300);
        assertThat(LeakReporter.track(LeakReporter.Level.OFF, this, "unwatched"))
                .isNull();
    }
}
