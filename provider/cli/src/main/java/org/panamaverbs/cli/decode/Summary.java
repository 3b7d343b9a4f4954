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

    void packet(Packet packet) {
        if (firstNanos == Packet.NO_TIME) {
            firstNanos = packet.timeNanos();
        }
        packets++;
    }

    void passedOver(Reason reason) {
        passedOver.merge(reason, 1L, Long::sum);
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

    /** How many packets were passed over, and why. */
    Map<Reason, Long> passedOver() {
        return passedOver;
    }
}
