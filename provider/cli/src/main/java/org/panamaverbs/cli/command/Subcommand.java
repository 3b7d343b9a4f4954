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
}
