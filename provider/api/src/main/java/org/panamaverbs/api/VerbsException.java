package org.panamaverbs.api;

/**
 * A verb failed on the control path. The message says which call, on what object, with which error, and what to do.
 *
 * <p>Posting and polling never throw it: they answer with status codes ({@link PostStatus}, {@link WcStatus}).
 */
public sealed class VerbsException extends RuntimeException
        permits ConnectionException,
                DeadlineExceededException,
                ProviderUnavailableException,
                ResourceException,
                WaitInterruptedException {
    private static final long serialVersionUID = 1L;

    private final String operation;

    VerbsException(String operation, String message, @org.jspecify.annotations.Nullable Throwable cause) {
        super(operation + ": " + message, cause);
        this.operation = operation;
    }

    /** Returns the call that failed, for example {@code connect} or {@code ibv_reg_mr}. */
    public final String operation() {
        return operation;
    }
}
