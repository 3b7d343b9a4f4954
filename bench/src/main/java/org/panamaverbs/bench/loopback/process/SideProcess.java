package org.panamaverbs.bench.loopback.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process, and its lines: it is told what to do by one, and answers by another. */
public final class SideProcess {
    private static final int END_SECONDS = 20;

    private final String name;
    private final Process process;
    private final BufferedReader output;
    private final BufferedWriter input;

    /** Starts what is planned. */
    SideProcess(SidePlan plan) throws IOException {
        name = plan.name();
        process = new ProcessBuilder(plan.command())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Says {@code command}, if it is not null, and returns what follows {@code prefix} in the answer.
     *
     * @throws IOException if the answer is another
     */
    public String ask(@Nullable String command, String prefix) throws IOException {
        if (command != null) {
            input.write(command + "\n");
            input.flush();
        }
        String line = output.readLine();
        if (line == null || !line.startsWith(prefix)) {
            throw new IOException(
                    "the " + name + " said " + line + " in place of '" + prefix + "'; its message stands above");
        }
        return line.substring(prefix.length()).strip();
    }

    /** Ends the process, by the end of its input first. */
    void end() {
        try {
            input.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
            }
        } catch (IOException e) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
