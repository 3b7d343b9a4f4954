package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.SetupTerminate;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.log.LaterLog;

/** The end of a connection that is agreed on but that no queue pair takes. */
final class FailedSetup {
    private FailedSetup() {}

    /** Tells the peer, if it may be told, that this side cannot go on, and closes {@code transport}. */
    static void tell(Transport transport, Negotiated negotiated) {
        try {
            ByteBuffer terminate = SetupTerminate.octets(negotiated);
            if (terminate.hasRemaining()) {
                transport.write(terminate);
            }
        } catch (IOException e) {
            String what = "a peer left before it was told that this side cannot go on";
            LaterLog.log(FailedSetup.class, System.Logger.Level.DEBUG, what, e);
        } finally {
            transport.close(false);
        }
    }
}
