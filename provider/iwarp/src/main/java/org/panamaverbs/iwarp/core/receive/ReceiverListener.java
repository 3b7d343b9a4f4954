package org.panamaverbs.iwarp.core.receive;

import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.wire.Terminate;

/** What a receiver tells its stream. */
public interface ReceiverListener {
    /** The first FPDU of the peer is here. */
    void onFirstSegment();

    /** The peer terminated the stream. */
    void onTerminate(Terminate terminate);

    /** A receive is done. */
    void onReceived(long wrId, WcOpcode opcode, long byteCount, int flags, long immediateOrStag);

    /** The oldest Read or Atomic has its response. */
    void onResponded();

    /** A receive failed with the message it was taken for. */
    void onReceiveFailed(long wrId, WcStatus status);
}
