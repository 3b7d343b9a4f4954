package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log that is written later. */
@Timeout(60)
class DeferredLogTest {
    private static final int MANY = 1500;

    private final Logger logger = Logger.getLogger(DeferredLogTest.class.getName());
    private final Lines lines = new Lines();

    @BeforeEach
    void listen() {
        logger.setUseParentHandlers(false);
        logger.addHandler(lines);
    }

    @AfterEach
    void stop() {
        lines.release.countDown();
        logger.removeHandler(lines);
        logger.setUseParentHandlers(true);
    }

    private static void log(String text) {
        DeferredLog.log(
                DeferredLogTest.class, System.Logger.Level.WARNING, text, new IllegalStateException("of a test"));
    }

    @Test
    void saysHowManyLinesItDropped() throws Exception {
        log("first");
        assertThat(lines.begun.await(20, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < MANY; i++) {
            log("line " + i);
        }
        lines.release.countDown();

        assertThat(lines.next()).isEqualTo("first");
        assertThat(lines.next()).isEqualTo("line 0 (500 other lines were dropped)");
        for (int i = 1; i < MANY - 500; i++) {
            assertThat(lines.next()).isEqualTo("line " + i);
        }
        log("last");
        assertThat(lines.next()).isEqualTo("last");
    }

    /** Several times: whether a line is lost is a race. */
    @ParameterizedTest
    @ValueSource(strings = {"throw", "end", "exit"})
    void processThatEndsWritesItsLastLine(String how) throws Exception {
        for (int i = 0; i < 5; i++) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            // java.util.logging closes itself when the process ends, while the line is waited for.
                            "--limit-modules=" + (how.equals("exit") ? "java.base" : "java.logging"),
                            "-cp",
                            path(),
                            DyingProgram.class.getName(),
                            how)
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader printed = process.inputReader()) {
                assertThat(printed.lines()).anyMatch(line -> line.contains("its last words"));
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** The paths of this process, and that of a test of a module, which is on none of them. */
    private static String path() throws Exception {
        String name = DyingProgram.class.getName().replace('.', '/') + ".class";
        URI own = Objects.requireNonNull(DyingProgram.class.getResource("/" + name))
                .toURI();
        String file = Path.of(own).toString();
        return String.join(
                File.pathSeparator,
                file.substring(0, file.length() - name.length()),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"));
    }

    /** What was written; the first line is held until {@code release}. */
    private static final class Lines extends Handler {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);
        private final LinkedBlockingQueue<String> written = new LinkedBlockingQueue<>();

        String next() throws InterruptedException {
            String line = written.poll(20, TimeUnit.SECONDS);
            assertThat(line).as("a line in time").isNotNull();
            return line;
        }

        @Override
        public void publish(LogRecord line) {
            begun.countDown();
            boolean interrupted = false;
            while (release.getCount() != 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            written.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
