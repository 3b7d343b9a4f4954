package org.panamaverbs.api;

/** A verbs object could not be made or changed: a limit is reached, memory cannot be registered, a state forbids it. */
public final class ResourceException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Creates an exception.
     *
     * @param operation the call that failed
     * @param message what failed, with which numbers, and the remedy
     * @param errno the operating system's error number, 0 if it came from elsewhere
     */
    public ResourceException(String operation, String message, int errno) {
        super(operation, message, null);
        this.errno = errno;
    }

    /** Returns the operating system's error number, 0 if the failure came from elsewhere. */
    public int errno() {
        return errno;
    }
}
