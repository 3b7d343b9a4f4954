package org.panamaverbs.ibverbs.crash;

/** A case did not end as it should. */
final class CaseFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CaseFailure(String message) {
        super(message);
    }

    CaseFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
