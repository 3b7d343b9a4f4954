package org.panamaverbs.iwarp.core.setup;

/**
 * What two sides agreed on in connection set-up, and what this one was told to take for agreed.
 *
 * @param initiator whether this side asked
 * @param crc whether the CRC is computed and checked, in both directions
 * @param markersIn whether the peer sends markers
 * @param markersOut whether this side sends markers
 * @param revision the MPA revision, 1 or 2
 * @param rtr the ready-to-receive message
 * @param ird Reads and Atomics of the peer that may be outstanding here
 * @param ord Reads and Atomics from here that may be outstanding at the peer
 * @param peerIrd what the peer said, -1 if it did not
 * @param peerOrd what the peer said, -1 if it did not
 * @param emss octets a TCP segment carries; bounds the FPDUs
 * @param draftSwap whether Swap is AOpCode 1, as draft-ietf-storm-rdmap-ext-01 has it; nothing on the wire says so
 */
public record Negotiated(
        boolean initiator,
        boolean crc,
        boolean markersIn,
        boolean markersOut,
        int revision,
        Rtr rtr,
        int ird,
        int ord,
        int peerIrd,
        int peerOrd,
        int emss,
        boolean draftSwap) {
    /**
     * Begins an agreement with MPA revision 2, without CRC, markers, ready-to-receive message and draft Swap, with
     * depths of 0 and a peer that said none.
     */
    public static Builder builder(boolean initiator) {
        return new Builder(initiator);
    }

    /** Returns the same agreement with the segment size of the connection. */
    public Negotiated withEmss(int octets) {
        return new Negotiated(
                initiator, crc, markersIn, markersOut, revision, rtr, ird, ord, peerIrd, peerOrd, octets, draftSwap);
    }

    /** Returns the same agreement with or without the draft's Swap. */
    public Negotiated withDraftSwap(boolean spoken) {
        return new Negotiated(
                initiator, crc, markersIn, markersOut, revision, rtr, ird, ord, peerIrd, peerOrd, emss, spoken);
    }

    /** Returns the agreement in words, for example {@code MPA rev 2, CRC32C, no markers, RTR Write, IRD 16, ORD 16}. */
    public String text() {
        String ready = rtr == Rtr.NONE || rtr == Rtr.WAIVED
                ? "no RTR"
                : "RTR " + rtr.name().charAt(0) + rtr.name().substring(1).toLowerCase(java.util.Locale.ROOT);
        String markers = markersIn || markersOut
                ? "markers" + (markersIn ? " in" : "") + (markersOut ? " out" : "")
                : "no markers";
        return "MPA rev " + revision + ", " + (crc ? "CRC32C" : "no CRC") + ", " + markers + ", " + ready + ", IRD "
                + ird + ", ORD " + ord + (draftSwap ? ", draft Swap" : "");
    }

    /** What was agreed, set value by value. For one thread. */
    public static final class Builder {
        private final boolean initiator;
        private boolean crc;
        private boolean markersIn;
        private boolean markersOut;
        private int revision = 2;
        private Rtr rtr = Rtr.NONE;
        private int ird;
        private int ord;
        private int peerIrd = -1;
        private int peerOrd = -1;
        private int emss;
        private boolean draftSwap;

        private Builder(boolean initiator) {
            this.initiator = initiator;
        }

        /** Sets {@link Negotiated#crc()}. */
        public Builder crc(boolean value) {
            crc = value;
            return this;
        }

        /** Sets {@link Negotiated#markersIn()}. */
        public Builder markersIn(boolean value) {
            markersIn = value;
            return this;
        }

        /** Sets {@link Negotiated#markersOut()}. */
        public Builder markersOut(boolean value) {
            markersOut = value;
            return this;
        }

        /** Sets {@link Negotiated#revision()}. */
        public Builder revision(int value) {
            revision = value;
            return this;
        }

        /** Sets {@link Negotiated#rtr()}. */
        public Builder rtr(Rtr value) {
            rtr = value;
            return this;
        }

        /** Sets {@link Negotiated#ird()}. */
        public Builder ird(int value) {
            ird = value;
            return this;
        }

        /** Sets {@link Negotiated#ord()}. */
        public Builder ord(int value) {
            ord = value;
            return this;
        }

        /** Sets {@link Negotiated#peerIrd()}. */
        public Builder peerIrd(int value) {
            peerIrd = value;
            return this;
        }

        /** Sets {@link Negotiated#peerOrd()}. */
        public Builder peerOrd(int value) {
            peerOrd = value;
            return this;
        }

        /** Sets {@link Negotiated#emss()}. */
        public Builder emss(int value) {
            emss = value;
            return this;
        }

        /** Sets {@link Negotiated#draftSwap()}. */
        public Builder draftSwap(boolean value) {
            draftSwap = value;
            return this;
        }

        /** Sets all four depths to the same. */
        public Builder depths(int all) {
            return ird(all).ord(all).peerIrd(all).peerOrd(all);
        }

        /** Returns what was set so far. */
        public Negotiated build() {
            return new Negotiated(
                    initiator, crc, markersIn, markersOut, revision, rtr, ird, ord, peerIrd, peerOrd, emss, draftSwap);
        }
    }
}
