package org.panamaverbs.api;

/**
 * The thread was interrupted when it began to wait or while it waited. Its interrupt flag is still set. Nothing was
 * taken, and what came meanwhile is there: once the flag is cleared ({@link Thread#interrupted}) the same call can wait
 * again. Only an attempt that the call itself began is undone, as by a deadline that passed: {@link Verbs#connect},
 * {@link ConnectionRequest#accept}, {@link Verbs#connectDatagrams}, {@link Verbs#joinMulticast}. The guide's page
 * {@code learn/threads} has what each wait leaves.
 */
public final class WaitInterruptedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for {@code operation}; {@code message} says what was waited for. */
    public WaitInterruptedException(String operation, String message) {
        super(operation, message, null);
    }
}
