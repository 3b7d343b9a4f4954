package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Somebody who answers questions. */
public abstract class Contestant {
    /** What it runs on. */
    final Bench bench;

    private final String name;

    Contestant(Bench bench, String name) {
        this.bench = bench;
        this.name = name;
    }

    /** Returns what tables and {@code --only} call it. */
    public final String name() {
        return name;
    }

    /** Returns why it cannot take part and the remedy, or nothing if it can. */
    public abstract Optional<String> missing();

    /** Returns its version, as it says itself. */
    public abstract String version() throws IOException, InterruptedException;

    /** Returns what it answers in every round. */
    public abstract List<Job> jobs(Amounts amounts);

    /** Returns the curves that it answers on their own. */
    public List<CurveJob> curves(Amounts amounts) {
        return List.of();
    }

    /** One measurement of a question. */
    public record Job(Question question, String line, Measurement<Reading> measurement) {
        /** Returns the measurement of round trips by a program that says them as JSON. */
        static Job roundTrips(Question question, String line, Measurement<String> program) {
            return new Job(question, line, () -> Bench.roundTrips(program.take()));
        }

        /** Returns the measurement of a rate, {@code name} in the JSON of a program. */
        static Job rate(Question question, String line, String name, Measurement<String> program) {
            return new Job(question, line, () -> Reading.of(Bench.rate(program.take(), name)));
        }
    }

    /** One measurement of points of a curve. */
    public record CurveJob(String line, Measurement<List<Point>> measurement) {}

    /** What runs processes and reads what they say. */
    public interface Measurement<T> {
        /** Runs the processes and returns what was measured, or throws if one of them says that it failed. */
        T take() throws IOException, InterruptedException;
    }

    /** Says that {@code file} is not there and what makes it, or nothing if it is. */
    static Optional<String> missing(Path file, String remedy) {
        return Files.exists(file) ? Optional.empty() : Optional.of(file + " is not there: " + remedy);
    }

    static String firstLine(String text) {
        return text.lines().findFirst().orElse("unknown");
    }

    /** Returns the launcher of the JDK that runs. */
    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
