package org.panamaverbs.api.iwarp;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why an iWARP stream ended in an error: the Terminate that one side sent the other (RFC 5040 §4.8), or what went wrong
 * here where there was nobody to tell any more. The guide has all of them with causes and remedies, on its page
 * {@code errors}.
 *
 * <p>The provider {@code iwarp} knows all of this. libibverbs hands no Terminate to applications, so behind the
 * provider {@code ibverbs} there is none: there, the completion's status and vendor error and the asynchronous event
 * say what is known.
 *
 * @param origin which side found the error
 * @param layer 0 RDMAP, 1 DDP, 2 the layer below (MPA); 0 to 15
 * @param errorType the error type within the layer, 0 to 15
 * @param errorCode the error code within the type, 0 to 255
 * @param reason the same as a type, finer where one code covers several errors of this side
 * @param text the error's name
 * @param reference the section that defines it, for example {@code RFC 5041 §7.2}; empty if none does
 * @param detail what was seen beyond that, with numbers; empty if there is nothing to add
 * @param segment the headers of the segment at fault; null without, see {@link #terminatedSegment()}
 */
public record TerminateCause(
        Origin origin,
        int layer,
        int errorType,
        int errorCode,
        TerminateReason reason,
        String text,
        String reference,
        String detail,
        @Nullable TerminatedSegment segment) {

    /** The side that found the error. */
    public enum Origin {
        /** We found it and sent (or would have sent) the Terminate. */
        LOCAL,
        /** The peer found it and sent us the Terminate. */
        REMOTE
    }

    /**
     * Returns the segment that the error was found in: the peer's if the {@link #origin()} is local, ours if it is
     * remote. Empty if the peer returned none, and for errors that have none: lost connections, overrun completion
     * queues, work requests that failed here.
     */
    public Optional<TerminatedSegment> terminatedSegment() {
        return Optional.ofNullable(segment);
    }

    /** Returns what to do about it: by the reason, and by the message that it was found in, if that is known. */
    public String remedy() {
        return segment == null ? reason.remedy() : TerminateGuide.remedy(reason, segment.message());
    }

    /** Returns the numbers as they are written everywhere, for example {@code 1/2/02}. */
    public String code() {
        return "%x/%x/%02x".formatted(layer, errorType, errorCode);
    }

    /**
     * Returns one line with what, where, why and what to do, for example {@code 1/1/01 tagged buffer error: base or
     * bounds violation (found by the peer; RFC 5041 §7.2) in RDMA Write to STag 0x12345678 at 0x1000, segment of 78
     * octets; remedy: compare offset and length with what was advertised}.
     */
    @Override
    public String toString() {
        return "%s %s (found %s%s)%s%s; remedy: %s"
                .formatted(
                        code(),
                        text,
                        origin == Origin.LOCAL ? "here" : "by the peer",
                        reference.isEmpty() ? "" : "; " + reference,
                        detail.isEmpty() ? "" : ": " + detail,
                        segment == null ? "" : " in " + segment,
                        remedy());
    }
}
