package org.panamaverbs.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** Runs a command line in this process and keeps what it printed. */
public record CommandRun(int status, String out, String err) {
    /** Runs {@code arguments} of the {@code verbs} command. */
    public static CommandRun of(String... arguments) {
        return of(VerbsCommand.commandLine(), arguments);
    }

    /** Runs {@code arguments} of {@code commandLine}. */
    public static CommandRun of(CommandLine commandLine, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        int status = commandLine.execute(arguments);
        return new CommandRun(status, out.toString(), err.toString());
    }

    /** Returns the lines of the standard output. */
    public List<String> lines() {
        return out.lines().toList();
    }
}
