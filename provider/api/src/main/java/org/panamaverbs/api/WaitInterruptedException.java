package org.panamaverbs.api;

import org.panamaverbs.api.cm.ConnectionRequest;

/**
 * The thread was interrupted before or during a wait. Its interrupt flag is still set, and nothing was taken or lost:
 * clear the flag ({@link Thread#interrupted}) and repeat the call to continue waiting. Only an attempt that the call
 * itself began is undone, as if its deadline had passed: {@link Verbs#connect}, {@link ConnectionRequest#accept},
 * {@link Verbs#connectDatagrams}, {@link Verbs#joinMulticast}. The guide's page {@code learn/threads} lists what each
 * wait leaves behind.
 */
public final class WaitInterruptedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for {@code operation}; {@code message} names the awaited event. */
    public WaitInterruptedException(String operation, String message) {
        super(operation, message, null);
    }
}
