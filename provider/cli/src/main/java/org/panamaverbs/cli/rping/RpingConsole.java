package org.panamaverbs.cli.rping;

import java.io.PrintWriter;
import org.panamaverbs.cli.command.CommandFailure;

/** Where rping prints: each line is flushed at once, so that scripts and people see it when it happens. Thread-safe. */
record RpingConsole(PrintWriter out, PrintWriter err, boolean debugging) {
    /** Prints a line of data. */
    void print(String line) {
        println(out, line);
        if (out.checkError()) {
            throw new CommandFailure("nobody takes the standard output any more");
        }
    }

    /** Prints a line about the state of things. */
    void report(String line) {
        println(err, line);
    }

    /** Prints a line only if {@code -d} was given. */
    void debug(String line) {
        if (debugging) {
            println(err, line);
        }
    }

    private void println(PrintWriter writer, String line) {
        synchronized (this) {
            writer.println(line);
            writer.flush();
        }
    }
}
