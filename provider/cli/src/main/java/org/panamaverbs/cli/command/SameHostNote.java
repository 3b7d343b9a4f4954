package org.panamaverbs.cli.command;

import org.panamaverbs.api.Carrier;

/** What a command says of a connection that goes through memory of this host, where its user may have expected TCP. */
public final class SameHostNote {
    private SameHostNote() {}

    /** Returns the note for a connection by {@code carrier}; empty where there is nothing to say. */
    public static String of(Carrier carrier) {
        return carrier == Carrier.SHARED_MEMORY ? "both processes are on this host; --option shm=off selects TCP" : "";
    }
}
