package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Somebody who answers questions. */
public interface Contestant {
    String name();

    /** Returns why it cannot take part and the remedy, or nothing if it can. */
    Optional<String> missing();

    /** Returns its version, as it says itself. */
    String version() throws IOException, InterruptedException, Children.FailedException;

    /** Returns what it answers in every round. */
    List<Job> jobs(Amounts amounts);

    /** Returns the curves that it answers on their own. */
    default List<CurveJob> curves(Amounts amounts) {
        return List.of();
    }

    /** One measurement of a question. */
    record Job(Question question, String line, Measurement<Reading> measurement) {}

    /** One measurement of points of a curve. */
    record CurveJob(String line, Measurement<List<Point>> measurement) {}

    /** What runs processes and reads what they say. */
    interface Measurement<T> {
        T take() throws IOException, InterruptedException, Children.FailedException;
    }
}
