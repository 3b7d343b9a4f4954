package org.panamaverbs.ibverbs.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link CrashPeer} in a process of its own, to be killed. */
final class PeerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;

    private PeerProcess(Process process) {
        this.process = process;
        lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static PeerProcess start(Stage stage, String role, int port) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "-cp",
                System.getProperty("java.class.path"),
                CrashPeer.class.getName()));
        command.addAll(List.of(role, stage.device(), stage.address(), Integer.toString(port)));
        return stage.add(new PeerProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()));
    }

    /** Waits for a line that begins with {@code word}; returns what follows. */
    String awaits(String word) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(word)) {
                return line.substring(word.length()).strip();
            }
        }
        throw new CaseFailure("the peer ended before it said " + word);
    }

    /** Kills the process as kill -9 does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
