package org.panamaverbs.cli.demo;

/**
 * What came of one operation.
 *
 * @param title the operation
 * @param bytes bytes it moves
 * @param outcome whether it was run, and how it went
 * @param detail what differed or failed, empty without
 * @param rounds how often it ran to its end
 * @param medianNanos the median time from the post to the completion; 0 if it did not run
 */
record DemoResult(String title, long bytes, Outcome outcome, String detail, int rounds, long medianNanos) {
    /** How an operation went. */
    enum Outcome {
        /** Each round was right on both sides. */
        OK,
        /** Something differed or failed. */
        FAILED,
        /** The device does not have the operation. */
        NOT_ON_THIS_DEVICE,
        /** An earlier failure ended the connection. */
        NOT_RUN
    }

    static DemoResult ok(Exercise exercise, int rounds, long medianNanos) {
        return new DemoResult(exercise.title(), exercise.bytes(), Outcome.OK, "", rounds, medianNanos);
    }

    static DemoResult without(Exercise exercise, Outcome outcome, String detail) {
        return new DemoResult(exercise.title(), exercise.bytes(), outcome, detail, 0, 0);
    }
}
