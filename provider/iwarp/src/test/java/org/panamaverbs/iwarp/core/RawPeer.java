package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;

/** Speaks octets of the test's choice to one stream, and keeps what it answers. */
final class RawPeer {
    final Pipe toStream = new Pipe();
    final Pipe fromStream = new Pipe();
    final Side side;
    final List<Segments.Parsed> answers = new ArrayList<>();
    long now = 1_000;
    private final Wiretap tap;
    private final boolean markersIn;
    private long position;

    /** A peer of an initiator or responder with CRC, no markers, no RTR and IRD and ORD 4. */
    RawPeer(boolean streamIsInitiator) {
        this(Negotiated.builder(streamIsInitiator)
                .crc(true)
                .depths(4)
                .emss(Pair.EMSS)
                .build());
    }

    RawPeer(Negotiated negotiated) {
        this(negotiated, new StagTable(64, Side.randomStags(5)));
    }

    RawPeer(Negotiated negotiated, StagTable stags) {
        this(0x33, negotiated, stags);
    }

    RawPeer(int qpNumber, Negotiated negotiated, StagTable stags) {
        this(Side.config(qpNumber), negotiated, stags);
    }

    RawPeer(StreamConfig config, Negotiated negotiated, StagTable stags) {
        side = new Side(config, toStream, fromStream, stags, null, null);
        tap = new Wiretap(negotiated.crc(), negotiated.markersOut());
        markersIn = negotiated.markersIn();
        side.stream.start(negotiated, now);
        settle();
    }

    /** Sends each segment in an FPDU of its own. */
    RawPeer inject(byte[]... ulpdus) {
        for (byte[] ulpdu : ulpdus) {
            byte[] wire = markersIn ? Framing.fpduWithMarkers(position, ulpdu) : Framing.fpdu(ulpdu);
            injectOctets(wire);
        }
        return this;
    }

    /** Sends octets as they are. */
    RawPeer injectOctets(byte... octets) {
        position += octets.length;
        toStream.write(octets);
        settle();
        return this;
    }

    RawPeer fin() {
        toStream.finish();
        settle();
        return this;
    }

    void settle() {
        for (int steps = 0; side.step(now); steps++) {
            if (steps > 1_000_000) {
                throw new AssertionError("the stream does not come to rest in state " + side.stream.state());
            }
        }
        answers.addAll(tap.take(fromStream.drain()));
    }

    /** Where the next octet stands in the stream of those that were sent. */
    long position() {
        return position;
    }

    /** Sets the clock to {@code time}; the deadlines that are due by then pass. */
    void at(long time) {
        while (!side.closed && side.stream.hasDeadline() && side.stream.deadlineNanos() - time <= 0) {
            now = Math.max(now, side.stream.deadlineNanos());
            side.stream.timeout(now);
            settle();
        }
        now = time;
        settle();
    }

    /** Lets the linger time and all others pass. */
    void elapse() {
        while (!side.closed && side.stream.hasDeadline()) {
            now = Math.max(now, side.stream.deadlineNanos());
            side.stream.timeout(now);
            settle();
        }
    }

    /** Octets that the stream sent without making a whole FPDU of them. */
    int unfinishedOctets() {
        return tap.rest();
    }

    List<Segments.Parsed> terminates() {
        return answers.stream().filter(Segments.Parsed::isTerminate).toList();
    }
}
