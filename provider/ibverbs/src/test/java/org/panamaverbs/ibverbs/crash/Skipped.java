package org.panamaverbs.ibverbs.crash;

/** A case cannot be tried on this device. */
final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Skipped(String reason) {
        super(reason);
    }
}
