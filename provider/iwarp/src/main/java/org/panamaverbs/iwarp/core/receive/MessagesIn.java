package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** Counts the messages of the peer on their way to their handler (RFC 5041 §5.1: the L bit ends one). */
public final class MessagesIn implements SegmentHandler {
    private final SegmentHandler handler;
    private boolean last;
    private boolean underWay;
    private long ended;

    public MessagesIn(SegmentHandler handler) {
        this.handler = handler;
    }

    /** Tells whether the headers of a message are here and its end is not. */
    public boolean isUnderWay() {
        return underWay;
    }

    /** Returns how many messages have ended. */
    public long ended() {
        return ended;
    }

    @Override
    public @Nullable TerminateCode onHeader(MemorySegment header, int collected, int ulpduLength, Placement placement) {
        last = DdpHeader.isLast(header.get(ValueLayout.JAVA_BYTE, 0));
        underWay = true;
        return handler.onHeader(header, collected, ulpduLength, placement);
    }

    @Override
    public @Nullable TerminateCode onSegment() {
        if (last) {
            underWay = false;
            ended++;
        }
        return handler.onSegment();
    }

    @Override
    public void onLocalRefusal() {
        handler.onLocalRefusal();
    }
}
