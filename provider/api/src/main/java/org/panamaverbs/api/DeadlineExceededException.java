package org.panamaverbs.api;

/** A wait reached its {@link Deadline}. The expected event may still happen; the message says what was undone. */
public final class DeadlineExceededException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for {@code operation}; {@code message} says what did not happen before the deadline. */
    public DeadlineExceededException(String operation, String message) {
        super(operation, message, null);
    }

    @Override
    String remedy() {
        return "check that the peer runs, is reachable and answers, or set a later deadline";
    }
}
