package org.panamaverbs.api;

/**
 * Why an iWARP stream was terminated (RFC 5040 §4.8).
 *
 * @param origin which side found the error
 * @param layer 0 RDMAP, 1 DDP, 2 the layer below (MPA)
 * @param errorType the error type within the layer, 0 to 15
 * @param errorCode the error code within the type, 0 to 255
 * @param text the error's name
 * @param reference the section that defines it, for example {@code RFC 5041 §7.2}; empty if none does, which only a
 *     peer can send
 */
public record TerminateCause(Origin origin, int layer, int errorType, int errorCode, String text, String reference) {

    /** The side that found the error. */
    public enum Origin {
        /** We found it and sent (or would have sent) the Terminate. */
        LOCAL,
        /** The peer found it and sent us the Terminate. */
        REMOTE
    }

    /** Returns for example {@code 1/1/00 invalid STag (found by the peer; RFC 5041 §7.2)}. */
    @Override
    public String toString() {
        String found = origin == Origin.LOCAL ? "here" : "by the peer";
        String defined = reference.isEmpty() ? "" : "; " + reference;
        return "%x/%x/%02x %s (found %s%s)".formatted(layer, errorType, errorCode, text, found, defined);
    }
}
