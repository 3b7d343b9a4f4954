package org.panamaverbs.cli.command;

import org.jspecify.annotations.Nullable;

/**
 * Ends a command with {@link ExitStatus#FAILED}, or {@link ExitStatus#USAGE} where the user named what does not exist;
 * the message is all the user gets to see, so it says what to do.
 */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    /** Creates a failure without cause. */
    public CommandFailure(String message) {
        this(message, null);
    }

    /** Creates a failure with the cause, whose message is expected to be part of {@code message}. */
    public CommandFailure(String message, @Nullable Throwable cause) {
        this(message, cause, ExitStatus.FAILED);
    }

    private CommandFailure(String message, @Nullable Throwable cause, int exitStatus) {
        super(message, cause);
        this.exitStatus = exitStatus;
    }

    /** Returns the failure of a command whose options or environment are wrong in the way that {@code message} says. */
    public static CommandFailure ofUsage(String message, Throwable cause) {
        return new CommandFailure(message, cause, ExitStatus.USAGE);
    }

    /** Returns the exit status that the command ends with. */
    public int exitStatus() {
        return exitStatus;
    }
}
