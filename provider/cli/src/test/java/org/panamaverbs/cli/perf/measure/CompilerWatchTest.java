package org.panamaverbs.cli.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompilerWatchTest {
    @Test
    void saysNothingOnceItIsClosed() {
        AtomicInteger said = new AtomicInteger();
        CompilerWatch watch = new CompilerWatch(said::incrementAndGet, Duration.ofMinutes(5));

        watch.close();

        // It takes a second, in which it was closed.
        assertThat(said).hasValue(0);
    }

    @Test
    void endsWithItsSession() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            Session session = new Session(
                    verbs,
                    new Session.Sizes(PerfTest.Operation.SEND, 1, 64, 4, 4, 0, false, QueuePairType.RC),
                    new Session.Waiting(false, Duration.ZERO, Duration.ofSeconds(30)));
            session.add();
            session.watchCompilers();

            session.close();
        }

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("perf-compiler-watch");
    }
}
