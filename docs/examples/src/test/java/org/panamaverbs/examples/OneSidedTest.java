package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples whose server only lends its memory: lock, file, threads. */
@Timeout(120)
class OneSidedTest {
    @Test
    void noStepOfTheCounterOrOfTheGuardedValueIsLost() {
        ExampleRun run = ExampleRun.of("lock", "--clients", "3", "--rounds", "100");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("the counter is 300, the guarded value 300, both have to be 300");
    }

    @Test
    void aServerWithMoreClientsThanCameSaysWhatIsMissing() {
        ExampleRun run = ExampleRun.of("lock", "--role", "server", "--clients", "1", "--timeout", "1");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("no connection request");
    }

    @Test
    void theFetchedFileIsTheLentOne(@TempDir Path directory) throws Exception {
        byte[] octets = new byte[3_000_001];
        new Random(1).nextBytes(octets);
        Path from = Files.write(directory.resolve("from"), octets);
        Path to = directory.resolve("to");

        ExampleRun run = ExampleRun.of("file", "--from", from.toString(), "--to", to.toString(), "--piece", "100");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("client: 100 %", "client: 3,000,001 bytes in ");
        assertThat(to).hasBinaryContent(octets);
    }

    @Test
    void aFileThatIsNotThereOrEmptyIsRefused(@TempDir Path directory) throws Exception {
        Path empty = Files.createFile(directory.resolve("empty"));

        assertThat(ExampleRun.of("file", "--from", directory + "/none").err()).contains("there is no file");
        ExampleRun run = ExampleRun.of("file", "--role", "server", "--from", empty.toString());
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("is empty");
    }

    @Test
    void everyVirtualThreadGetsItsOwnAnswers() {
        ExampleRun run = ExampleRun.of("threads", "--threads", "300", "--rounds", "5");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("1,500 requests of 300 virtual threads", "each of 300 counters is 5");
    }
}
