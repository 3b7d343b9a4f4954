package org.panamaverbs.cli.decode.tcp;

/** What a packet amounts to: a segment of TCP, or nothing that can be looked into. */
public sealed interface Parsed {
    /**
     * A segment of TCP.
     *
     * @param segment what it holds
     */
    record Segment(TcpSegment segment) implements Parsed {}

    /**
     * No segment.
     *
     * @param reason why
     * @param detail the same with what was found, for people
     */
    record PassedOver(Reason reason, String detail) implements Parsed {}

    /** Why a packet was passed over. */
    enum Reason {
        /** Its link type is not known. */
        LINK_TYPE("of an unknown link type", true),
        /** Neither IPv4 nor IPv6. */
        NOT_IP("not IP", false),
        /** Of another protocol than TCP. */
        NOT_TCP("not TCP", false),
        /** A piece of an IP packet; pieces are not put together. */
        FRAGMENT("IP fragments", true),
        /** Fewer octets than its headers need, because of the capture's snap length. */
        CUT_OFF("cut off within their headers", true),
        /** Headers that contradict themselves. */
        DAMAGED("with damaged headers", true);

        private final String text;
        private final boolean noteworthy;

        Reason(String text, boolean noteworthy) {
            this.text = text;
            this.noteworthy = noteworthy;
        }

        /** What the packets are, as in "3 packets were not TCP". */
        public String text() {
            return text;
        }

        /** True when iWARP may be lost by it, so that its first case deserves a note. */
        public boolean noteworthy() {
            return noteworthy;
        }
    }
}
