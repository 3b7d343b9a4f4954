package org.panamaverbs.cli.decode;

import java.util.EnumMap;
import java.util.Map;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.dissect.Names;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.tcp.Parsed.Reason;

/** Counts what a capture holds. */
final class Summary {
    private final Map<Reason, Long> passedOver = new EnumMap<>(Reason.class);
    private long packets;
    private long firstNanos = Packet.NO_TIME;
    private int iwarp;
    private long tcp;
    private long evicted;
    private long mpaFrames;
    private long fpdus;
    private long problems;
    private long notes;
    private long cutOff;
    private int longestCutOff;

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
        iwarp++;
        return iwarp;
    }

    /** All TCP connections, and how many of them were ended early. */
    void connections(long met, long endedEarly) {
        tcp = met;
        evicted = endedEarly;
    }

    long packets() {
        return packets;
    }

    /** When the first packet that has a time was captured. */
    long firstNanos() {
        return firstNanos;
    }

    long iwarpConnections() {
        return iwarp;
    }

    long otherConnections() {
        return tcp - iwarp;
    }

    long evicted() {
        return evicted;
    }

    long mpaFrames() {
        return mpaFrames;
    }

    long fpdus() {
        return fpdus;
    }

    long problems() {
        return problems;
    }

    long notes() {
        return notes;
    }

    /** Packets of which octets that a connection sent were not captured. */
    long cutOff() {
        return cutOff;
    }

    /** The most octets that were captured of a packet that was cut off: about the capture's snap length. */
    int longestCutOff() {
        return longestCutOff;
    }

    /**
     * Says of how many packets so little was captured that neither an MPA frame nor an FPDU is to be seen; 0 if some
     * are seen, or nothing was cut off that might be one.
     */
    long blindPackets() {
        return mpaFrames + fpdus > 0 ? 0 : cutOff + passedOver.getOrDefault(Reason.CUT_OFF, 0L);
    }

    /** How many packets were passed over, and why. */
    Map<Reason, Long> passedOver() {
        return passedOver;
    }
}
