package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.TerminateReason;
import org.panamaverbs.api.WcStatus;

/**
 * Notices that a peer has stopped: it takes no octets, answers no Reads, or leaves an FPDU unfinished. It counts
 * nothing on the data path: it compares what was done with what had been done when it looked last.
 */
final class ProgressWatch {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final StreamParts parts;
    private final Track output = new Track();
    private final Track answers = new Track();
    private final Track input = new Track();

    ProgressWatch(StreamParts parts) {
        this.parts = parts;
    }

    /** One thing that is under way, or not. */
    private static final class Track {
        private boolean underWay;
        private long seen;
        private long since;

        boolean isStuck(boolean pending, long done, long now, long limitNanos) {
            if (!pending || !underWay || done != seen) {
                underWay = pending;
                seen = done;
                since = now;
                return false;
            }
            return now - since >= limitNanos;
        }
    }

    /** Looks once; returns what has not moved for {@code limitNanos}, null if all is well. */
    @Nullable
    String look(boolean wantsTransmit, long now, long limitNanos) {
        boolean unopened = !parts.transmitter.isAllowed() && parts.sends.head() != parts.sends.published();
        boolean noOutput =
                output.isStuck(wantsTransmit || unopened, parts.transmitter.writtenOctets(), now, limitNanos);
        boolean noAnswers =
                answers.isStuck(!parts.outstanding.isEmpty(), parts.outstanding.progress(), now, limitNanos);
        boolean noInput = input.isStuck(!parts.fpdus.isBetweenFpdus(), parts.fpdus.position(), now, limitNanos);
        String time = " for " + limitNanos / NANOS_PER_MILLI + " ms";
        if (noOutput) {
            return unopened && !wantsTransmit
                    ? "the peer has not begun the stream" + time + ", and only then may this side send"
                    : "the peer takes no octets" + time;
        }
        if (noAnswers) {
            return "the peer does not answer a Read or Atomic" + time;
        }
        return noInput ? "the peer leaves an FPDU unfinished" + time : null;
    }

    /** Has the oldest send that is not done fail because of that; the others are flushed. */
    void blameOldest() {
        parts.completions.retire();
        SendRing sends = parts.sends;
        if (sends.head() != sends.published()) {
            int slot = sends.slot(sends.head());
            sends.state[slot] = SendRing.FAILED;
            sends.status[slot] = WcStatus.RETRY_EXCEEDED;
            sends.vendorError[slot] =
                    Fault.local(TerminateReason.PEER_SILENT, "").vendorError();
        }
    }
}
