package org.panamaverbs.iwarp.shm;

import java.io.IOException;

/** The peer's file holds what no peer that keeps to the layout can have written: the stream is lost. */
final class RingCorruptException extends IOException {
    private static final long serialVersionUID = 1;

    RingCorruptException(String message) {
        super(message);
    }
}
