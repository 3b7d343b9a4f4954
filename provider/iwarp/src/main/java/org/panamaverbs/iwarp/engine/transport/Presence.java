package org.panamaverbs.iwarp.engine.transport;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;

/** What tells peers of this host that a listener takes Offers of shared memory, until it is closed. Any thread. */
final class Presence implements AutoCloseable {
    private final @Nullable Hint hint;
    private final @Nullable SharedDirectory directory;

    /** Creates a presence of a hint for the network namespace, and a directory for others; null where there is none. */
    Presence(@Nullable Hint hint, @Nullable SharedDirectory directory) {
        this.hint = hint;
        this.directory = directory;
    }

    /** Closes hint and directory, each though the other cannot be closed; can be repeated. */
    @Override
    public void close() {
        try {
            if (hint != null) {
                hint.close();
            }
        } finally {
            if (directory != null) {
                directory.close();
            }
        }
    }
}
