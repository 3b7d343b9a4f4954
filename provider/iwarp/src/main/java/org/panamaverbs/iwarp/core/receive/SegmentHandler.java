package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** Judges and delivers DDP segments for an {@link FpduReceiver}. */
interface SegmentHandler {
    /**
     * Judges a segment by its headers and aims {@code placement} at where its payload lands. Control messages have all
     * their octets in {@code header}.
     *
     * @return what to terminate with, null if the payload may come
     */
    @Nullable
    TerminateCode onHeader(MemorySegment header, int collected, int ulpduLength, Placement placement);

    /**
     * Delivers the segment: it is complete and its CRC is right.
     *
     * @return what to terminate with, null if all is well
     */
    @Nullable
    TerminateCode onSegment();

    /** Hears that the local memory of the message at hand refused the payload. */
    void onLocalRefusal();
}
