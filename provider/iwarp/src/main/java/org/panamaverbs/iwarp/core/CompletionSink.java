package org.panamaverbs.iwarp.core;

import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;

/** Where completions go. Called while the stream works: must not call back into it. */
public interface CompletionSink {
    /** The completion carries immediate data. */
    int HAS_IMMEDIATE = 1;
    /** The completion carries the STag that the message invalidated. */
    int HAS_INVALIDATED_STAG = 1 << 1;
    /** The message asked for a solicited event. */
    int SOLICITED = 1 << 2;

    /** What {@link #complete} answers of a completion that was lost. */
    long LOST = -1;

    /**
     * Takes a completion. What {@code vendorError} says is kept of one that has failed; it is 0 for
     * {@link WcStatus#SUCCESS}.
     *
     * @return its number in its queue, which is greater than that of the one before; {@link #LOST} if it was lost
     *     because the queue is full: the stream fails (RFC 5040 §8.1.1)
     */
    long complete(
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int qpNumber,
            long byteCount,
            int flags,
            long immediateOrStag,
            int vendorError);

    /**
     * Takes the completions of {@code run}, one after the other, as {@link #complete} takes each.
     *
     * @return the number of the last one, {@link #LOST} if one was lost
     */
    default long complete(CompletionRun run, int qpNumber) {
        long number = 0;
        for (int i = 0; i < run.count() && number != LOST; i++) {
            number =
                    complete(run.wrId(i), WcStatus.SUCCESS, WcOpcode.RECV, qpNumber, run.octets(i), run.flags(i), 0, 0);
        }
        return number;
    }

    /** Returns how many completions there is room for, as of a moment ago. */
    default int room() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the number below which the application has taken all completions; those of a queue that keeps none are
     * taken as they come.
     */
    default long taken() {
        return Long.MAX_VALUE;
    }
}
