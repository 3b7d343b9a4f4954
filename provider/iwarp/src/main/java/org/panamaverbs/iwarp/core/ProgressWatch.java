package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.cm.TerminateReason;

/**
 * Notices that a peer has stopped: it takes no bytes, answers no Reads, leaves an FPDU unfinished, or does not leave
 * memory that was taken away. It counts nothing on the data path but the ends of messages: it compares what was done
 * with what had been done when it looked last.
 */
final class ProgressWatch {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /**
     * How long TCP may have octets unacknowledged at least: a receiver delays that (RFC 9293 §3.8.6.3), and what is
     * lost is repeated, the second time after more than half a second.
     */
    private static final long LEAST_ACKNOWLEDGEMENT_NANOS = 2_000_000_000L;

    private final StreamParts parts;
    private final Track output = new Track();
    private final Track acknowledged = new Track();
    private final Track answers = new Track();
    private final Track input = new Track();
    private final Track rest = new Track();
    private final Track access = new Track();
    private final LongMessage before = new LongMessage();

    /**
     * What the peer's TCP had still to acknowledge when that was looked at last; none before, or where nobody can tell.
     */
    private long unacknowledged;

    /** Which access the peer was in, when that was looked at last, although the memory was taken away; 0 for none. */
    private long overdue;

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

    /**
     * A message of the peer behind which an answer may have to wait: nothing is sent in the middle of one. Only one
     * that lasts from look to look counts, so that a peer does not get away with sending everything but the answer.
     */
    private final class LongMessage {
        private boolean underWay;
        private long ended;
        private long position;
        private long looks;

        /** Looks at the message once; returns at how many looks the same message as before had more octets. */
        long looks() {
            boolean same = underWay && parts.fpdus.isMessageUnderWay() && parts.fpdus.messagesEnded() == ended;
            if (same && parts.fpdus.position() != position) {
                looks++;
            }
            underWay = parts.fpdus.isMessageUnderWay();
            ended = parts.fpdus.messagesEnded();
            position = parts.fpdus.position();
            return looks;
        }
    }

    /** So many octets are sent and not acknowledged by the peer's TCP; negative where nobody can tell. */
    void unacknowledged(long octets) {
        unacknowledged = octets;
    }

    /** The peer is in {@code access} although the memory was taken away; 0 if not. */
    void overdue(long access) {
        overdue = access;
    }

    /** Looks at the stream once; returns what has not moved for {@code limitNanos}, null if all is well. */
    @Nullable
    String look(boolean wantsTransmit, long now, long limitNanos) {
        // Another connection's peer may be in the window: then that connection ends.
        boolean awaitsWindow = parts.transmitter.awaitsWindow();
        boolean unopened = !parts.transmitter.isAllowed() && parts.sends.head() != parts.sends.published();
        boolean noOutput = output.isStuck(
                (wantsTransmit || unopened) && !awaitsWindow, parts.transmitter.writtenOctets(), now, limitNanos);
        long acknowledgementNanos = Math.max(limitNanos, LEAST_ACKNOWLEDGEMENT_NANOS);
        boolean noAcknowledgement = acknowledged.isStuck(
                unacknowledged > 0, parts.transmitter.writtenOctets() - unacknowledged, now, acknowledgementNanos);
        boolean noAnswers = answers.isStuck(
                !parts.outstanding.isEmpty(), parts.outstanding.progress() + before.looks(), now, limitNanos);
        boolean noInput = input.isStuck(!parts.fpdus.isBetweenFpdus(), parts.fpdus.position(), now, limitNanos);
        boolean stays = access.isStuck(overdue != 0, overdue, now, limitNanos);
        String time = " for " + limitNanos / NANOS_PER_MILLI + " ms";
        if (noOutput) {
            return unopened && !wantsTransmit
                    ? "the peer has sent no FPDU" + time + ", and this side may send only after one"
                    : "the peer has accepted no bytes" + time;
        }
        if (noAcknowledgement) {
            return "the peer has accepted no bytes for " + acknowledgementNanos / NANOS_PER_MILLI + " ms, "
                    + unacknowledged + " bytes are not acknowledged";
        }
        if (noAnswers) {
            return "the peer did not answer a Read or Atomic" + time;
        }
        if (stays) {
            return "the peer has accessed revoked memory" + time;
        }
        return noInput ? "the peer has not finished an FPDU" + time : null;
    }

    /** Returns what a stream that stands still ends for. */
    TerminateReason reason() {
        boolean unopened = !parts.transmitter.isAllowed() && parts.fpdus.isBetweenFpdus() && overdue == 0;
        return unopened ? TerminateReason.NO_FIRST_FPDU : TerminateReason.PEER_SILENT;
    }

    /**
     * Looks at a stream once that has sent its last, of which {@code unacknowledged} octets are not acknowledged;
     * returns what has not moved for {@code limitNanos}, null if all is well.
     */
    @Nullable
    String lookAtRest(long unacknowledged, long now, long limitNanos) {
        return rest.isStuck(unacknowledged > 0, unacknowledged, now, limitNanos)
                ? "the peer has accepted no bytes for " + limitNanos / NANOS_PER_MILLI + " ms, " + unacknowledged
                        + " of the last bytes are not acknowledged"
                : null;
    }

    /** Has the oldest send that is not done fail because the peer has stopped; the others are flushed. */
    void blameOldest() {
        parts.completions.retire();
        SendRing sends = parts.sends;
        if (sends.head() != sends.published()) {
            int vendorError = Fault.local(TerminateReason.PEER_SILENT, "").vendorError();
            sends.fail(sends.slot(sends.head()), WcStatus.RETRY_EXCEEDED, vendorError);
        }
    }
}
