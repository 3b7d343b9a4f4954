package org.panamaverbs.cli.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands of {@code verbs} share: their place in the command line. */
public abstract class Subcommand implements Callable<Integer> {
    @SuppressWarnings("NullAway.Init") // picocli injects it
    @Spec
    private CommandSpec spec;

    /** Returns the parser of this command. */
    protected final CommandLine line() {
        return spec.commandLine();
    }

    /** Returns where the command prints. */
    protected final PrintWriter out() {
        return line().getOut();
    }

    /**
     * Checks what the command line says.
     *
     * @throws ParameterException saying {@code otherwise}, unless it is {@code valid}
     */
    protected final void require(boolean valid, String otherwise) {
        if (!valid) {
            throw new ParameterException(line(), otherwise);
        }
    }

    /** Checks that {@code port} is at least {@code least}, which is 1, or 0 where the system may choose one. */
    protected final void requirePort(int port, int least) {
        require(port >= least && port <= 65_535, "Invalid port " + port + " (valid range is " + least + " to 65535)");
    }
}
