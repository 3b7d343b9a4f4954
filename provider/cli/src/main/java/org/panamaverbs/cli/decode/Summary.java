package org.panamaverbs.cli.decode;

import java.util.EnumMap;
import java.util.Map;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.dissect.Names;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.tcp.Parsed.Reason;

/** Counts what a capture holds. */
final class Summary {
    /** How many packets were passed over, and why. */
    final Map<Reason, Long> passedOver = new EnumMap<>(Reason.class);

    long packets;
    /** When the first packet that has a time was captured. */
    long firstNanos = Packet.NO_TIME;

    /** Connections that are iWARP, and those that are not; of all, how many were ended early. */
    int iwarpConnections;

    long otherConnections;
    long evicted;
    long mpaFrames;
    long fpdus;
    long problems;
    long notes;
    /** Packets of which octets that a connection sent were not captured. */
    long cutOff;
    /** The most octets that were captured of a packet that was cut off: about the capture's snap length. */
    int longestCutOff;

    void packet(Packet packet) {
        if (firstNanos == Packet.NO_TIME) {
            firstNanos = packet.timeNanos();
        }
        packets++;
    }

    void passedOver(Packet packet, Reason reason) {
        passedOver.merge(reason, 1L, Long::sum);
        if (reason == Reason.CUT_OFF) {
            longestCutOff = Math.max(longestCutOff, packet.octets().length);
        }
    }

    /** Octets that a connection sent are missing from {@code packet}. */
    void cutOff(Packet packet) {
        cutOff++;
        longestCutOff = Math.max(longestCutOff, packet.octets().length);
    }

    void event(Event event) {
        switch (event) {
            case Event.Unit unit -> {
                boolean mpa =
                        unit.kind().equals(Names.MPA_REQUEST) || unit.kind().equals(Names.MPA_REPLY);
                mpaFrames += mpa ? 1 : 0;
                fpdus += mpa ? 0 : 1;
                problems += unit.problems().size();
            }
            case Event.End end -> {}
            case Event.Note note -> {
                problems += note.problem() ? 1 : 0;
                notes += note.problem() ? 0 : 1;
            }
        }
    }

    /** Numbers the next connection that is iWARP. */
    int nextConnection() {
        iwarpConnections++;
        return iwarpConnections;
    }

    /** All TCP connections, and how many of them were ended early. */
    void connections(long met, long endedEarly) {
        otherConnections = met - iwarpConnections;
        evicted = endedEarly;
    }

    /**
     * Says of how many packets so little was captured that neither an MPA frame nor an FPDU is to be seen; 0 if some
     * are seen, or nothing was cut off that might be one.
     */
    long blindPackets() {
        return mpaFrames + fpdus > 0 ? 0 : cutOff + passedOver.getOrDefault(Reason.CUT_OFF, 0L);
    }
}
