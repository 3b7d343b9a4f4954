package org.panamaverbs.examples.command;

import java.io.PrintWriter;
import java.util.List;

/** A program of this module. */
public interface Example {
    /** Returns the name by which it is started. */
    String name();

    /** Returns what it teaches, in one line. */
    String summary();

    /** Returns its options. */
    List<Option> options();

    /**
     * Runs the example, and returns when it is over.
     *
     * @param out takes what it prints; several threads may print
     * @throws UsageException if a value of an option is wrong
     * @throws Exception whatever went wrong
     */
    void run(Arguments arguments, PrintWriter out) throws Exception;
}
