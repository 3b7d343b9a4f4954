package org.panamaverbs.api;

/**
 * A verb failed on the control path. The message has the operation, the object, the error and the remedy.
 *
 * <p>Posting and polling never throw it: they return {@link PostStatus} and {@link WcStatus}.
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
     * For providers: adds the place to the message, such as {@code queue pair 3 of device iwarp0, peer 10.0.0.2:4791}.
     * The first place stays.
     */
    public final void at(String where) {
        if (place.isEmpty()) {
            place = where;
        }
    }

    /** Returns the operation, the failure and its place, then {@code ; remedy:} and the remedy. */
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

    /** Returns the failed call, for example {@code connect} or {@code ibv_reg_mr}. */
    public final String operation() {
        return operation;
    }
}
