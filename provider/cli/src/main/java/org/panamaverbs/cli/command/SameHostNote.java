package org.panamaverbs.cli.command;

import org.panamaverbs.api.Connection;

/** What a command says of a connection that goes through memory of this host, where its user may have expected TCP. */
public final class SameHostNote {
    // What the provider iwarp says of it, behind what was negotiated.
    private static final String SHARED = ", shared memory (";

    private SameHostNote() {}

    /** Returns the note for {@link Connection#transport()}; empty where there is nothing to say. */
    public static String of(String transport) {
        return transport.contains(SHARED) ? "both processes are on this host: for TCP, --option shm=off" : "";
    }
}
