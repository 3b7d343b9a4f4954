package org.panamaverbs.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What groups of options share that commands mix in: the command line of their command. */
public abstract class Flags {
    @SuppressWarnings("NullAway.Init") // picocli injects it
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Returns the command that these options are of. */
    protected final CommandSpec command() {
        return command;
    }

    /**
     * Checks what the command line says.
     *
     * @throws ParameterException saying {@code otherwise}, unless it is {@code valid}
     */
    protected final void require(boolean valid, String otherwise) {
        if (!valid) {
            throw new ParameterException(command.commandLine(), otherwise);
        }
    }
}
