package org.panamaverbs.cli.command;

import org.jspecify.annotations.Nullable;

/** Ends a command with {@link ExitStatus#FAILED}; the message is all the user gets to see, so it says what to do. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates a failure without cause. */
    public CommandFailure(String message) {
        this(message, null);
    }

    /** Creates a failure with the cause, whose message is expected to be part of {@code message}. */
    public CommandFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
