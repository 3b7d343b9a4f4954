package org.panamaverbs.examples;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * What one run of the command line gave.
 *
 * @param status of the process, had it been one
 * @param out what it printed
 * @param err what it complained of
 */
record ExampleRun(int status, String out, String err) {
    static ExampleRun of(String... words) {
        var out = new StringWriter();
        var err = new StringWriter();
        int status = Examples.run(List.of(words), new PrintWriter(out, true), new PrintWriter(err, true));
        return new ExampleRun(status, out.toString(), err.toString());
    }
}
