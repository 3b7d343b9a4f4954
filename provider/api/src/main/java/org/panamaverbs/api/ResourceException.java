package org.panamaverbs.api;

/**
 * A verbs object could not be created or changed: a limit is reached, memory cannot be registered, or the state forbids
 * it.
 */
public final class ResourceException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Creates an exception.
     *
     * @param operation the failed call
     * @param message the failure with its numbers, and the remedy
     * @param errno the operating system's error number, 0 if there is none
     */
    public ResourceException(String operation, String message, int errno) {
        super(operation, message, null);
        this.errno = errno;
    }

    /** Returns the operating system's error number, 0 if there is none. */
    public int errno() {
        return errno;
    }
}
