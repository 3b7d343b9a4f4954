package org.panamaverbs.iwarp.shm;

import java.io.IOException;

/** The peer has reset the stream: nothing comes any more, and nobody reads. */
public final class RingResetException extends IOException {
    private static final long serialVersionUID = 1;

    RingResetException() {
        super("Connection reset by peer");
    }
}
