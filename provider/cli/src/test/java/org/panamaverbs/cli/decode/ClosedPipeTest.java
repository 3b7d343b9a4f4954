package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.PeerProcess;

/** {@code verbs decode F | head}: a reader that has seen enough is no failure that anybody wants to read of. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledOnOs(value = OS.LINUX, disabledReason = "the pipe is recognised by /proc")
class ClosedPipeTest {
    @Test
    void readerThatLeavesIsToldNothing() throws Exception {
        Process process = decode();
        try {
            byte[] capture = Files.readAllBytes(Decoded.capture("markers_both"));
            OutputStream input = process.getOutputStream();
            input.write(capture, 0, capture.length / 2);
            input.flush();
            BufferedReader output = process.inputReader();
            assertThat(output.readLine()).startsWith("connection 1: ");
            output.close();

            input.write(capture, capture.length / 2, capture.length - capture.length / 2);
            input.close();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEmpty();
            assertThat(process.exitValue()).as("not all was printed").isEqualTo(ExitStatus.FAILED);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process decode() throws Exception {
        return new ProcessBuilder(PeerProcess.command(PeerProcess.QUICK_START, List.of("decode", "-"))).start();
    }
}
