package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.util.Optional;
import org.panamaverbs.iwarp.net.SystemSockets;

/** Whether this system has what peers of one host need to share memory. */
public final class SharedMemory {
    private SharedMemory() {}

    /** Returns why memory cannot be shared here now, with the remedy where there is one; empty if it can. */
    public static Optional<String> obstacle() {
        Optional<String> reason = SystemSockets.obstacle();
        return reason.isPresent() ? reason : attempt();
    }

    private static Optional<String> attempt() {
        try {
            SealedFile.create("panama-verbs probe", 1).close();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("no sealed memory: " + e.getMessage());
        }
    }
}
