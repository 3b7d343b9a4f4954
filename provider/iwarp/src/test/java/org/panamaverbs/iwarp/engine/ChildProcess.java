package org.panamaverbs.iwarp.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of Java that ends with the test. */
final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    /** Starts a process that runs {@code main}. */
    ChildProcess(Class<?> main, String... arguments) throws IOException {
        this(List.of(), main, arguments);
    }

    /** As the other, by {@code starter}, which runs the command that it is given behind its own arguments. */
    ChildProcess(List<String> starter, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // In PID namespaces of their own several have the number 1, and would have one file of counters.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Waits for a line that begins with {@code key}, and returns the rest of it. */
    String value(String key) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(key)) {
                return line.substring(key.length());
            }
        }
        throw new AssertionError("the process ended without " + key);
    }

    /** Waits for the end of the process, whose further lines nobody sees, and returns whether its exit status is 0. */
    boolean endsWell() throws IOException, InterruptedException {
        output.transferTo(Writer.nullWriter());
        return process.waitFor() == 0;
    }

    /** Sends the process {@code signal}, such as {@code -STOP}. */
    void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", signal, "" + process.pid()).start();
        if (kill.waitFor() != 0) {
            throw new IOException("kill " + signal + " of process " + process.pid());
        }
    }

    /** Kills the process with signal 9, and what its starter has started. */
    void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    /** Ends what the process reads. */
    void endInput() throws IOException {
        process.getOutputStream().close();
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        output.close();
    }
}
