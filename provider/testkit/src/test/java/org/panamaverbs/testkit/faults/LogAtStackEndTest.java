package org.panamaverbs.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.spi.support.DeferredLog;

/** The log that is written later, behind lines for which there was no stack. */
@Timeout(60)
class LogAtStackEndTest {
    private static final int TIMES = 100;
    private static final String LAST = "the last line";

    private final Logger logger = Logger.getLogger(LogAtStackEndTest.class.getName());
    private final CompletableFuture<String> last = new CompletableFuture<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().startsWith(LAST)) {
                last.complete(line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
    }

    @AfterEach
    void stop() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void aLineBehindItIsWritten() throws Exception {
        DeferredLog.prepare();
        int overflows = 0;
        for (int i = 0; i < TIMES; i++) {
            overflows += StackEnd.overflowsOfEachFrame(() -> log("where the stack ends"));
        }
        assertThat(overflows).isPositive();

        // Again and again: it is dropped while the others fill the log.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!last.isDone() && System.nanoTime() - end < 0) {
            log(LAST);
            Thread.onSpinWait();
        }
        assertThat(last).isCompletedWithValueMatching(line -> line.startsWith(LAST));
    }

    private static void log(String text) {
        DeferredLog.log(LogAtStackEndTest.class, System.Logger.Level.WARNING, text);
    }
}
