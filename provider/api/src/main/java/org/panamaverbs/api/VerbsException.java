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
    private static final String REMEDY = "; remedy: ";

    private final String operation;
    // Where it happened, empty while that is not known.
    private volatile String place = "";

    VerbsException(String operation, String message, @org.jspecify.annotations.Nullable Throwable cause) {
        super(operation + ": " + message, cause);
        this.operation = operation;
    }

    /**
     * Has the message say where it happened, for providers: {@code queue pair 3 of device iwarp0, peer 10.0.0.2:4791}.
     * The first place stays.
     */
    public final void at(String where) {
        if (place.isEmpty()) {
            place = where;
        }
    }

    /** Returns what failed, why and where, and behind {@code ; remedy:} what to do. */
    @Override
    public final String getMessage() {
        String message = String.valueOf(super.getMessage());
        int end = message.indexOf(REMEDY);
        String what = end < 0 ? message : message.substring(0, end);
        String remedy = end < 0 ? remedy() : message.substring(end + REMEDY.length());
        return what + (place.isEmpty() ? "" : " (" + place + ")") + (remedy.isEmpty() ? "" : REMEDY + remedy);
    }

    /** Returns what to do about it where the message does not say so; empty if nothing can be done. */
    String remedy() {
        return "";
    }

    /** Returns the call that failed, for example {@code connect} or {@code ibv_reg_mr}. */
    public final String operation() {
        return operation;
    }
}
