package org.panamaverbs.cli.decode.iwarp;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.dissect.Field;
import org.panamaverbs.cli.decode.dissect.Names;

/** Something found in a capture. */
public sealed interface Event {
    /**
     * When its last octet was captured, in nanoseconds since 1970-01-01 UTC; {@link Packet#NO_TIME} if nobody knows.
     */
    long timeNanos();

    /**
     * An MPA frame or an FPDU.
     *
     * @param kind what it is, for filters and programs, such as {@code read-request}
     * @param place where it was found
     * @param title its name by the RFCs
     * @param summary what matters of it, in a line
     * @param fields all of it
     * @param payload the ULP's octets, as far as they were captured; whoever gets it does not write into it
     * @param problems what is wrong with it, empty if nothing is
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Unit(
            String kind,
            Place place,
            String title,
            String summary,
            List<Field> fields,
            byte[] payload,
            List<String> problems)
            implements Event {
        @Override
        public long timeNanos() {
            return place.timeNanos();
        }
    }

    /**
     * Where in the capture something was found.
     *
     * @param flow whose octets
     * @param position offset in its direction's octets, where its first octet is, or a marker in front of it
     * @param frames the frames of the capture that it came in, in order
     * @param timeNanos when its last octet was captured
     */
    record Place(Flow flow, long position, List<Long> frames, long timeNanos) {}

    /**
     * The end of a connection, or of one direction, by TCP.
     *
     * @param flow of its sender
     * @param frame the frame that it came in
     * @param timeNanos when that was captured
     * @param reset whether it is a RST, rather than a FIN
     */
    record End(Flow flow, long frame, long timeNanos, boolean reset) implements Event {
        /** What it is, for filters and programs. */
        public String kind() {
            return reset ? Names.RST : Names.FIN;
        }
    }

    /**
     * Something that is to be known about the capture, or what is wrong with a connection as a whole.
     *
     * @param flow whose, or null if no connection's
     * @param frame by which it is known
     * @param timeNanos when that was captured
     * @param text in words
     * @param problem whether iWARP is broken, rather than the capture incomplete
     */
    record Note(@Nullable Flow flow, long frame, long timeNanos, String text, boolean problem) implements Event {}
}
