package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.util.Optional;
import org.panamaverbs.iwarp.net.SystemSockets;

/** Whether this system has what peers of one host need to share memory. */
public final class SharedMemory {
    // Whether an attempt has succeeded: then the next ones do.
    private static volatile boolean tried;

    private SharedMemory() {}

    /** Returns why memory cannot be shared here now, with the remedy where there is one; empty if it can. */
    public static Optional<String> obstacle() {
        Optional<String> reason = SystemSockets.obstacle();
        return reason.isPresent() ? reason : attempt();
    }

    /** Returns how many descriptors this process may have at once; {@link Long#MAX_VALUE} if there is no limit. */
    public static long mostDescriptors() {
        long most = UnixCalls.mostDescriptors();
        return most < 0 ? Long.MAX_VALUE : most;
    }

    private static Optional<String> attempt() {
        if (DescriptorCloser.isFull()) {
            return Optional.of(DescriptorCloser.FULL);
        }
        if (tried) {
            return Optional.empty();
        }
        try {
            SealedFile.create("panama-verbs probe", 1).close();
            tried = true;
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("no sealed memory: " + e.getMessage());
        }
    }
}
