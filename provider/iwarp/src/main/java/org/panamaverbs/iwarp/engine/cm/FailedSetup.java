package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.panamaverbs.api.support.LaterLog;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.SetupTerminate;
import org.panamaverbs.iwarp.engine.transport.Transport;

/** The end of a connection that is agreed on but that no queue pair takes. */
final class FailedSetup {
    private FailedSetup() {}

    /** Tells the peer, if it may be told, that this side cannot go on; {@code transport} is still to be closed. */
    static void tell(Transport transport, MpaStartup agreed) {
        try {
            ByteBuffer terminate = SetupTerminate.octets(agreed.negotiated());
            if (terminate.hasRemaining()) {
                transport.write(terminate);
            }
        } catch (IOException e) {
            String what = "a peer left before it was told that this side cannot go on";
            LaterLog.log(FailedSetup.class, System.Logger.Level.DEBUG, what, e);
        }
    }
}
