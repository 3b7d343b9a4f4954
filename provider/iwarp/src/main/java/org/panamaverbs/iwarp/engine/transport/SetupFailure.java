package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import org.panamaverbs.api.ConnectionException.Reason;

/** What ended a set-up of which no system call says why; the message has the remedy where the reason has none. */
public final class SetupFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Creates a failure for {@code reason}. */
    public SetupFailure(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns that shared memory is required and cannot be had, as {@code what} says: no retry mends that. */
    static SetupFailure noSharedMemory(String what) {
        return new SetupFailure(
                Reason.NEGOTIATION,
                what + "; to do: mend that on the side it names, or set shm=auto, which goes on by TCP");
    }

    /** Returns what it means to the application. */
    Reason reason() {
        return reason;
    }
}
