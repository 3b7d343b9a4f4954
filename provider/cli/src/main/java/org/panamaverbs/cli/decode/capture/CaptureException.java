package org.panamaverbs.cli.decode.capture;

import java.io.IOException;

/** A capture that is no capture, or not a whole one; the message says what was found, and where. */
public final class CaptureException extends IOException {
    private static final long serialVersionUID = 1L;

    CaptureException(String message) {
        super(message);
    }
}
