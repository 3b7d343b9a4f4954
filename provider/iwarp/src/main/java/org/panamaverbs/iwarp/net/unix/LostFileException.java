package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;

/**
 * Bytes came with a file that this process had no descriptor for: both are lost, and what the peer sends next is
 * received as if they had not come.
 */
public final class LostFileException extends IOException {
    private static final long serialVersionUID = 1;

    LostFileException(String message) {
        super(message);
    }
}
