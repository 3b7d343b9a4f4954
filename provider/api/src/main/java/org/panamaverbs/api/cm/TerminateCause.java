package org.panamaverbs.api.cm;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why an iWARP stream ended in an error: the Terminate message that one side sent (RFC 5040 §4.8), or a local error
 * after which no Terminate could be sent. The guide's page {@code errors} lists causes and remedies.
 *
 * <p>Only provider {@code iwarp} reports it. libibverbs passes no Terminate to applications: with provider
 * {@code ibverbs} use the completion's status and vendor error, and the asynchronous event.
 *
 * @param origin the side that detected the error
 * @param layer 0 RDMAP, 1 DDP, 2 the layer below (MPA); 0 to 15
 * @param errorType the error type within the layer, 0 to 15
 * @param errorCode the error code within the type, 0 to 255
 * @param reason the error as an enum, finer where one code covers several local errors
 * @param text the error's name
 * @param reference the section that defines it, for example {@code RFC 5041 §7.2}; empty if none does
 * @param detail further observations, with numbers; empty if there are none
 * @param segment the headers of the segment at fault, null if there is none; see {@link #terminatedSegment()}
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

    /** The side that detected the error. */
    public enum Origin {
        /** This side, which sent the Terminate or would have sent it. */
        LOCAL,
        /** The peer, which sent the Terminate. */
        REMOTE
    }

    /**
     * Returns the segment at fault: the peer's if the {@link #origin()} is local, this side's if it is remote. Empty if
     * the peer returned none, and for errors without a segment: lost connections, overrun completion queues, local work
     * requests.
     */
    public Optional<TerminatedSegment> terminatedSegment() {
        return Optional.ofNullable(segment);
    }

    /** Returns the remedy, by the reason and by the message at fault, if known. */
    public String remedy() {
        return segment == null ? reason.remedy() : TerminateGuide.remedy(reason, segment.message());
    }

    /** Returns the numbers in the usual notation, for example {@code 1/2/02}. */
    public String code() {
        return "%x/%x/%02x".formatted(layer, errorType, errorCode);
    }

    /**
     * Returns one line with error, place, cause and remedy, for example {@code 1/1/01 tagged buffer error: base or
     * bounds violation (found by the peer; RFC 5041 §7.2) in RDMA Write to STag 0x12345678 at 0x1000, segment of 78
     * bytes; remedy: compare offset and length with the advertised buffer; RemoteBuffer checks both}.
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
