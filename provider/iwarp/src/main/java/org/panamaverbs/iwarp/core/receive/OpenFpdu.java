package org.panamaverbs.iwarp.core.receive;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.mpa.Fpdu;

/** The FPDU that is being received: which part of it comes next, and what the parts before it said. */
final class OpenFpdu {
    // ULPDU_Length and the two control octets: enough to know the rest of the header.
    private static final int PREFIX_BYTES = Fpdu.LENGTH_BYTES + DdpHeader.CONTROL_BYTES;

    /** Its parts, in order. */
    enum Phase {
        PREFIX,
        HEADER,
        PAYLOAD,
        TRAILER
    }

    /** The part that comes next, or is under way. */
    Phase phase = Phase.PREFIX;

    /** So many octets end the part, and so many of them are here: of prefix and header together, or of the trailer. */
    int need = PREFIX_BYTES;

    int collected;

    /** Its first octet is here, or that of the marker in front of it. */
    boolean open;

    /** Where in the stream its length field begins; known with that. */
    long position;

    /** Known with the prefix. */
    int ulpduLength;

    /** Known with the header. */
    int headerLength;

    /** So many octets of payload are still to come; counts from the end of the header on. */
    int payloadLeft;

    /** Its payload goes nowhere: set with the header, or when memory refuses the rest. */
    boolean discard;

    /** What is wrong with it, to be told once its CRC was right: set with the header, or when memory refuses. */
    @Nullable
    TerminateCode verdict;

    /** It is over; the next one has not begun. */
    void end() {
        phase = Phase.PREFIX;
        need = PREFIX_BYTES;
        collected = 0;
        open = false;
    }

    /** The trailer comes next: pad and CRC field. */
    void beginTrailer() {
        phase = Phase.TRAILER;
        need = Fpdu.pad(ulpduLength) + Fpdu.CRC_BYTES;
        collected = 0;
    }

    /** So many octets of payload are taken. */
    void took(int octets) {
        payloadLeft -= octets;
        if (payloadLeft == 0) {
            beginTrailer();
        }
    }

    /** Payload comes next, or the trailer if there is none. */
    void beginPayload(int octets) {
        phase = Phase.PAYLOAD;
        payloadLeft = octets;
        took(0);
    }

    /** Tells whether no octet of its length field is here. */
    boolean isBefore() {
        return phase == Phase.PREFIX && collected == 0;
    }

    // RFC 5044 §4.1: the pad counts in the CRC whatever it holds; the CRC field itself does not.
    boolean isInCrcField() {
        return phase == Phase.TRAILER && collected > need - Fpdu.CRC_BYTES;
    }
}
