package org.panamaverbs.testkit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program of calls whose stack ends in them, in a JVM of its own: what stays locked there is ended with it. It prints
 * a line for each call, {@code NAME TRIED OVERFLOWS}.
 */
public final class StackEndProgram {
    /**
     * Options of a JVM, separated by blanks: ways in which methods become compiled. How much of the stack a frame takes
     * is the compiler's affair.
     */
    public static final List<String> WAYS_OF_COMPILING = List.of(
            "-XX:+TieredCompilation",
            "-XX:TieredStopAtLevel=1",
            "-XX:-TieredCompilation -XX:CompileThreshold=300",
            "-XX:-TieredCompilation -XX:CompileThreshold=1000",
            "-XX:-TieredCompilation -XX:CompileThreshold=2000");

    private static final int LIMIT_SECONDS = 300;
    private static final int ROUNDS = Integer.getInteger("faults.rounds", 1);

    private StackEndProgram() {}

    /**
     * Runs {@code program} with the class path of this JVM and returns what it printed of each call.
     *
     * @param directory where its output goes
     * @param options of the JVM, separated by blanks
     * @param arguments of the program
     * @throws AssertionError if the program fails, or is not over after 300 s
     */
    public static Map<String, StackEnd.Outcome> run(
            Path directory, Class<?> program, String options, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options.split(" ", -1)));
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:MaxJavaStackTraceDepth=30",
                "-Dfaults.rounds=" + ROUNDS,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(arguments);
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended;
        try {
            ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        } finally {
            process.destroyForcibly();
        }
        List<String> printed = Files.readAllLines(output);
        if (!ended || process.exitValue() != 0) {
            String end = ended ? "exit status " + process.exitValue() : "not over in " + LIMIT_SECONDS + " s";
            throw new AssertionError(end + cause(printed) + ", after:\n" + String.join("\n", printed));
        }
        return outcomes(printed);
    }

    /**
     * Makes {@code call} as {@link StackEnd#each} does, in as many rounds as the property {@code faults.rounds} says,
     * and prints its line. For programs.
     *
     * @param between runs after each call, where there is stack enough
     */
    public static void through(String name, Runnable call, Runnable between) throws InterruptedException {
        int tried = 0;
        int overflows = 0;
        for (int round = 0; round < ROUNDS; round++) {
            StackEnd.Outcome outcome = StackEnd.each(call, between);
            tried += outcome.tried();
            overflows += outcome.overflows();
        }
        System.out.println(name + " " + tried + " " + overflows);
    }

    // What ended it, in the first line: a summary shows no more.
    private static String cause(List<String> printed) {
        return printed.reversed().stream()
                .filter(line -> line.startsWith("Exception in thread"))
                .findFirst()
                .map(line -> " (" + line + ")")
                .orElse("");
    }

    private static Map<String, StackEnd.Outcome> outcomes(List<String> printed) {
        Map<String, StackEnd.Outcome> outcomes = new HashMap<>();
        for (String line : printed) {
            String[] words = line.split(" ", -1);
            if (line.matches("[A-Z_]+ [0-9]+ [0-9]+")) {
                outcomes.put(words[0], new StackEnd.Outcome(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
            }
        }
        return outcomes;
    }
}
