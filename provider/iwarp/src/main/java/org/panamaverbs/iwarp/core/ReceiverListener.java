package org.panamaverbs.iwarp.core;

import org.panamaverbs.iwarp.wire.Terminate;

/** What a receiver tells its stream. */
interface ReceiverListener {
    /** The first FPDU of the peer is here. */
    void onFirstSegment();

    /** The peer terminated the stream. */
    void onTerminate(Terminate terminate);

    /** A completion of what was received was lost. */
    void onOverrun();
}
