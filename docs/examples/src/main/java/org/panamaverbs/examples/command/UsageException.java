package org.panamaverbs.examples.command;

/** The command line is wrong; the message says what, and what would be right. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with {@code message} for people. */
    public UsageException(String message) {
        super(message);
    }
}
